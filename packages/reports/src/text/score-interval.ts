import type { Score } from "@assay/schemas"
import { formatCount } from "./format-number.ts"

/** Returns the interval of a score: of its mean, or of a score over all rows at once, such as a perplexity. Null if it has none. */
export function scoreInterval({ stats, interval }: Score): NonNullable<Score["interval"]> | null {
  return stats === undefined ? (interval ?? null) : stats.interval
}

/** Returns a sentence about the intervals of scores that are not of all scored rows, as the values beside them are; undefined if all are. */
export function intervalNote(scores: readonly { readonly found: Score }[]): string | undefined {
  const first = scores.flatMap(({ found }) => scoreInterval(found)?.first_rows ?? [])
  if (first.length === 0) return undefined
  return `Rows are scored that follow an unfinished one. Values count them, and intervals are of the first ${formatCount(Math.min(...first), "row")} in the order of the job.`
}
