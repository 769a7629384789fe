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
    "image_recitation",
    "language",
    "model_armor",
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
    "unexpected_tool_call",
    "too_many_tool_calls",
    "missing_thought_signature",
    "no_image",
    "image_other",
    "other",
    "unspecified",
  ],
}

const ENDS: ReadonlyMap<string, AnswerEnd> = new Map(
  Object.entries(WORDS).flatMap(([end, words]) => words.map((word) => [letters(word), end as AnswerEnd] as const)),
)

/**
 * Reads a `finish_reason`. OpenAI writes `length` and `content_filter`; gateways pass on the words of the model's vendor in any case
 * (`MAX_TOKENS`, `model_length`, `FinishReason.SAFETY`), also behind their own (`content_filter: RECITATION`). A part of an unknown word decides
 * too: `engine_error` is a failure. Null and every other word, such as `stop` and `tool_calls`, mean that the answer is complete.
 */
export function answerEnd(finishReason: string | null | undefined): AnswerEnd {
  if (finishReason === null || finishReason === undefined || finishReason.length > LONGEST) return "complete"
  const [end] = finishReason
    .split(":")
    .flatMap((word) => ENDS.get(letters(word.replace(/^finish_?reason[._]/i, ""))) ?? [])
  return end ?? endOfPart(finishReason)
}

/** Parts of words that no table lists. */
const PARTS: readonly (readonly [RegExp, AnswerEnd])[] = [
  [/filter|safety|blocked|prohibit|moderat|toxic|violation|censor/i, "filtered"],
  [/error|fail|exception|abort|cancel|interrupt|time_?out|overload|disconnect|malformed|preempt|evict/i, "failed"],
  [/max_|limit|exceed|truncat|incomplete|pause|partial/i, "cut"],
]

function endOfPart(word: string): AnswerEnd {
  return PARTS.find(([part]) => part.test(word))?.[1] ?? "complete"
}

/** Texts that some servers write instead of null into each chunk of a stream. */
const NO_REASON = /^\s*(?:null|none)?\s*$/i

/** Returns a `finish_reason` as text. Some servers send an object with its `type`. Null: there is none. */
export function finishReasonOf(value: unknown): string | null {
  if (typeof value === "string") return value.length < LONGEST && NO_REASON.test(value) ? null : value
  const type: unknown = typeof value === "object" && value !== null ? Reflect.get(value, "type") : undefined
  return typeof type === "string" ? type : null
}

/** Longer than every word of the table. */
const LONGEST = 100

function letters(word: string): string {
  return word.toLowerCase().replace(/[^a-z]/g, "")
}
