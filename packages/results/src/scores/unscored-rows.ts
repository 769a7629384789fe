import { formatInteger } from "@assay/reports"
import type { Score } from "@assay/schemas"

/** The share of asked rows that may have no score, if a gate does not name another one. */
export const MAX_UNSCORED = 0.05

/**
 * Returns why a gate on a score can't be decided: too many rows were asked and have no score, because their answer is unreadable or an
 * error. They may be the hard ones, so the mean of the others says little about all rows. Undefined: there are at most `maxUnscored` such
 * rows, or the score is one over all rows.
 */
export function unscoredReason({ stats }: Score, maxUnscored = MAX_UNSCORED): string | undefined {
  if (stats === undefined) return undefined
  const unscored = stats.unreadable + stats.errored
  const asked = stats.scored + unscored
  if (unscored <= maxUnscored * asked) return undefined
  const share = formatPercent(unscored / asked)
  return `${formatInteger(unscored)} of ${formatInteger(asked)} rows have no score (${share}), and max_unscored is ${formatPercent(maxUnscored)}.`
}

/** Formats a share as `5 %`. */
export function formatPercent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`
}
