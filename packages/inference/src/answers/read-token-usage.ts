import type { TokenUsage } from "@assay/schemas"

/**
 * Reads the `usage` of an answer. Some endpoints write `input_tokens` and `output_tokens`, as in OpenAI's Responses and Anthropic's
 * Messages. A number that is missing, a text, a fraction, negative or above 2^53 is null, which means unknown:
 * never 0. Without a total, or with one below it, the sum of both parts is the total. A total above the sum counts reasoning that the
 * endpoint leaves out of `completion_tokens`, as xAI and Gemini do, so it is added to them: it is paid like them. Returns null if no number is known, or if all are 0: no prompt has 0
 * tokens.
 */
export function readTokenUsage(usage: unknown): TokenUsage | null {
  const given = typeof usage === "object" && usage !== null ? (usage as Readonly<Record<string, unknown>>) : {}
  const prompt = count(given["prompt_tokens"] ?? given["input_tokens"])
  const completion = count(given["completion_tokens"] ?? given["output_tokens"])
  const sum = prompt === null || completion === null ? null : prompt + completion
  const stated = count(given["total_tokens"])
  const total = stated === null || (sum !== null && sum > stated) ? count(sum) : stated
  const known = [prompt, completion, total].filter((one) => one !== null)
  if (known.every((one) => one === 0)) return null
  const isSplit = prompt !== null && completion !== null && total !== null
  return { prompt_tokens: prompt, completion_tokens: isSplit ? total - prompt : completion, total_tokens: total }
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}
