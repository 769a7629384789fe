import type { JobStatusDetails } from "@assay/schemas"
import { formatCount, formatInteger } from "./format-number.ts"

const UNKNOWN = "unknown"

/** Formats the tokens of a job: `1,200 of prompts, 40 of answers`. Jobs count those of their target only. A number that nobody counted is `unknown`, never 0. */
export function tokenUse(tokens: JobStatusDetails["tokens"]): string {
  if (tokens === undefined) return UNKNOWN
  const { prompt, completion, total, uncounted = 0 } = tokens
  const some = uncounted > 0 ? `, and unknown for ${formatCount(uncounted, "answer")}` : ""
  if (total != null) return `${formatInteger(total)}${some}`
  if (total === null || (prompt === null && completion === null)) return UNKNOWN
  const part = (value: number | null) => (value === null ? UNKNOWN : formatInteger(value))
  return `${part(prompt)} of prompts, ${part(completion)} of answers${some}`
}
