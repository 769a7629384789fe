import type { JudgeMessage, ParseVerdictOptions } from "../verdict-reading.ts"
import { parseVerdict } from "../verdicts/parse-verdict.ts"

/** Returns the reading of an answer in the notation of the cases. */
export function readingOf(answer: unknown, options: ParseVerdictOptions = {}): readonly [string, readonly string[]] {
  const { verdict, unreadable } = parseVerdict(answer as string | JudgeMessage, options)
  if (verdict === null) return [unreadable.reason, []]
  const response = verdict.response_safety === null ? "" : `/${verdict.response_safety}`
  return [`${verdict.user_safety ?? ""}${response}`, verdict.categories.map(({ raw }) => raw)]
}
