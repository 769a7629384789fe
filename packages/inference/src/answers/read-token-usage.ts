import { fieldsOf } from "@assay/json"
import type { TokenUsage } from "@assay/schemas"

type Fields = Readonly<Record<string, unknown>>

/**
 * Reads the `usage` of an answer. Some endpoints write `input_tokens` and `output_tokens`, as in OpenAI's Responses and Anthropic's
 * Messages. A number that is missing, a text, a fraction, negative or above 2^53 is null, which means unknown:
 * never 0. No prompt has 0 tokens, so a prompt of 0 is unknown too, and so is a completion of 0 for an answer with any output. Without a total, or with one below it, the sum of both parts is the total.
 * A total above the sum counts reasoning that the endpoint leaves out of `completion_tokens`, as xAI and Gemini do, so it is added to them: it is paid like them.
 * Without a total, reasoning tokens above all of the completion are added for the same reason. A total below the only known part is unknown.
 * Returns null if no number is known.
 * @param hasOutput whether the answer has a text, reasoning or a tool call that was generated. Default false
 */
export function readTokenUsage(usage: unknown, { hasOutput = false } = {}): TokenUsage | null {
  const given = typeof usage === "object" && usage !== null ? (usage as Fields) : {}
  const asked = given["prompt_tokens"] == null ? inputTokens(given) : count(given["prompt_tokens"])
  const written = writtenTokens(given)
  const isWrong = asked === 0 || (written === 0 && hasOutput)
  const prompt = asked === 0 ? null : asked
  const completion = written === 0 && isWrong ? null : written
  const sum = prompt === null || completion === null ? null : prompt + completion
  const stated = count(given["total_tokens"]) || null
  const known = prompt ?? completion ?? 0
  // A total that only repeats one part does not count the other one.
  const isPart = sum === null && stated !== null && (stated < known || (isWrong && stated === known))
  const total = stated === null || (sum !== null && sum > stated) ? count(sum) : isPart ? null : stated
  if (prompt === null && completion === null && total === null) return null
  const isSplit = prompt !== null && completion !== null && total !== null
  return { prompt_tokens: prompt, completion_tokens: isSplit ? total - prompt : completion, total_tokens: total }
}

/**
 * Returns `input_tokens`. Those of Anthropic leave out what its cache read and wrote, which is paid too. Gateways that add a total
 * count the cache in both, unless it is more than all of the input.
 */
function inputTokens(given: Fields): number | null {
  const input = count(given["input_tokens"])
  const cached = (count(given["cache_read_input_tokens"]) ?? 0) + (count(given["cache_creation_input_tokens"]) ?? 0)
  const isApart = input !== null && (given["total_tokens"] == null || cached > input)
  return isApart ? count(input + cached) : input
}

function writtenTokens(given: Fields): number | null {
  const written = count(given["completion_tokens"] ?? given["output_tokens"])
  const details = fieldsOf(given["completion_tokens_details"] ?? given["output_tokens_details"])
  const reasoning = count(details["reasoning_tokens"]) ?? 0
  const isApart = given["total_tokens"] == null && written !== null && reasoning > written
  return isApart ? count(written + reasoning) : written
}

function count(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null
}
