/**
 * Why an answer of a model ended: it was complete, the token limit cut it, a filter held it back, or its generation failed.
 */
export type AnswerEnd = "complete" | "cut" | "filtered" | "failed"

const WORDS: Readonly<Record<Exclude<AnswerEnd, "complete">, readonly string[]>> = {
  cut: [
    "length",
    "max_length",
    "max_tokens",
    "max_new_tokens",
    "max_output_tokens",
    "max_completion_tokens",
    "max_tokens_reached",
    "model_length",
    "model_context_window_exceeded",
    "context_window_exceeded",
    "context_length_exceeded",
    "token_limit",
    "error_limit",
    "incomplete",
    "truncated",
    "limit",
    "repetition",
    "repetition_truncation",
  ],
  filtered: [
    "content_filter",
    "content_filtered",
    "safety",
    "sensitive",
    "prohibited_content",
    "blocklist",
    "recitation",
    "spii",
    "image_safety",
    "guardrail_intervened",
    "error_toxic",
    "refusal",
    "moderation",
  ],
  failed: [
    "error",
    "failed",
    "failure",
    "network_error",
    "server_error",
    "internal_error",
    "malformed_response",
    "abort",
    "aborted",
    "cancelled",
    "canceled",
    "user_cancel",
    "timeout",
    "time_limit",
    "not_finished",
    "insufficient_system_resource",
  ],
}

const ENDS: ReadonlyMap<string, AnswerEnd> = new Map(
  Object.entries(WORDS).flatMap(([end, words]) => words.map((word) => [letters(word), end as AnswerEnd] as const)),
)

/**
 * Reads a `finish_reason`. OpenAI writes `length` and `content_filter`; gateways pass on the words of the model's vendor in any case
 * (`MAX_TOKENS`, `model_length`, `FinishReason.SAFETY`), also behind their own (`content_filter: RECITATION`). Null and every other word, such as `stop` and `tool_calls`, mean that the answer
 * is complete.
 */
export function answerEnd(finishReason: string | null | undefined): AnswerEnd {
  if (finishReason === null || finishReason === undefined || finishReason.length > LONGEST) return "complete"
  const [end] = finishReason
    .split(":")
    .flatMap((word) => ENDS.get(letters(word.replace(/^finish_?reason[._]/i, ""))) ?? [])
  return end ?? "complete"
}

/** Longer than every word of the table. */
const LONGEST = 100

function letters(word: string): string {
  return word.toLowerCase().replace(/[^a-z]/g, "")
}
