import { formatInteger } from "@assay/reports"
import type { Score } from "@assay/schemas"

/** The share of asked rows that may have no score, if a gate does not name another one. */
const MAX_UNSCORED = 0.05

/**
 * Returns why a gate on a score can't be decided: too many rows were asked and have no score, because their answer is unreadable or an
 * error, or because a limit ended their conversation before a turn of the check. They may be the hard ones, so the mean of the others says little about all rows. Undefined: there are at most `maxUnscored` such
 * rows, or the score is one over all rows.
 */
export function unscoredReason({ stats }: Score, maxUnscored = MAX_UNSCORED): string | undefined {
  if (stats === undefined) return undefined
  const { unscored, cut, asked } = unscoredRows(stats)
  if (unscored + cut <= maxUnscored * asked) return undefined
  const share = formatPercent((unscored + cut) / asked)
  const what = describeUnscored({ unscored, cut, asked }, "have")
  return `${what} (${share}), and max_unscored is ${formatPercent(maxUnscored)}.`
}

interface UnscoredRows {
  /** Rows whose answer is unreadable or an error. */
  readonly unscored: number
  /** Conversations that a limit ended before a turn of the check. */
  readonly cut: number
  readonly asked: number
}

/** Counts the rows that were asked, and those of them that a score does not cover. */
export function unscoredRows(stats: NonNullable<Score["stats"]>): UnscoredRows {
  const { scored, unreadable, errored, not_reached: cut = 0, partly_reached: partly = 0 } = stats
  const unscored = unreadable + errored
  return { unscored, cut, asked: scored + unscored + cut - partly }
}

/** Returns `3 of 20 rows have no score`, or what is known about conversations that a limit ended. */
export function describeUnscored({ unscored, cut, asked }: UnscoredRows, verb: "has" | "have"): string {
  const of = `of ${formatInteger(asked)}`
  if (cut === 0) return `${formatInteger(unscored)} ${of} rows ${verb} no score`
  const others =
    unscored === 0 ? "" : `, and ${formatInteger(unscored)} more ${unscored === 1 ? "has" : "have"} no score`
  return `A limit ended ${formatInteger(cut)} ${of} conversations before a turn of this check${others}`
}

/** Formats a share as `5 %`. */
export function formatPercent(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`
}
