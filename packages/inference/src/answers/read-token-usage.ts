import type { TokenUsage } from "@assay/schemas"

/**
 * Reads the `usage` of an answer. Some endpoints write `input_tokens` and `output_tokens`, as in OpenAI's Responses and Anthropic's
 * Messages. A number that is missing, a text, a fraction, negative or above 2^53 is null, which means unknown:
 * never 0. No prompt has 0 tokens, so a prompt of 0 is unknown too, and so is a completion of 0 for an answer with a text. Without a total, or with one below it, the sum of both parts is the total.
 * A total above the sum counts reasoning that the endpoint leaves out of `completion_tokens`, as xAI and Gemini do, so it is added to them: it is paid like them.
 * Returns null if no number is known.
 * @param hasText whether the answer has a text that was generated. Default false
 */
export function readTokenUsage(usage: unknown, { hasText = false } = {}): TokenUsage | null {
  const given = typeof usage === "object" && usage !== null ? (usage as Readonly<Record<string, unknown>>) : {}
  const asked = count(given["prompt_tokens"] ?? given["input_tokens"])
  const written = count(given["completion_tokens"] ?? given["output_tokens"])
  const isWrong = asked === 0 || (written === 0 && hasText)
  const prompt = asked === 0 ? null : asked
  const completion = written === 0 && isWrong ? null : written
  const sum = prompt === null || completion === null ? null : prompt + completion
  const stated = count(given["total_tokens"]) || null
  // Then a total that only repeats one part does not count the other one.
  const isPart = isWrong && stated !== null && stated <= (prompt ?? completion ?? 0)
  const total = stated === null || (sum !== null && sum > stated) ? count(sum) : isPart ? null : stated
  if (prompt === null && completion === null && total === null) return null
  const isSplit = prompt !== null && completion !== null && total !== null
  return { prompt_tokens: prompt, completion_tokens: isSplit ? total - prompt : completion, total_tokens: total }
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}
