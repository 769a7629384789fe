import { parseVerdict } from "@assay/guardrails"
import type { ChatAnswer } from "@assay/inference"
import type { UnreadableReason } from "@assay/schemas"

/** Reasons that are about the answer as such, whatever was asked for. */
const TOLD: ReadonlySet<string> = new Set(["refusal", "content_filter", "reasoning_only", "empty"])

/** How an answer begins that says no in so many words. */
const REFUSAL =
  /^\W*(?:i['’]?m (?:very |really |so )?sorry|i am sorry|sorry,|i (?:can['’]?t|cannot|won['’]?t|am unable to|must decline))\b/i

/** Why no score can be read in an answer, in the words that guardrails use. */
export function unreadableReason({ text, reasoning, refusal, finishReason }: ChatAnswer): UnreadableReason {
  const { unreadable } = parseVerdict({ content: text, reasoning, refusal, finish_reason: finishReason })
  const reason = unreadable?.reason ?? "no_verdict"
  if (reason === "empty" && finishReason === "length") return "reasoning_only"
  if (TOLD.has(reason)) return reason
  if (finishReason === "length") return "truncated"
  return REFUSAL.test(text ?? "") ? "refusal" : "no_verdict"
}
