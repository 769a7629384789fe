import type { ArenaBias, ArenaReport } from "@assay/schemas"
import { formatInteger, formatShare, formatScore } from "../text/format-number.ts"

/** Formats the interval of a strength. Open ends are shown as such. */
export function strengthInterval({ interval: { low, high } }: ArenaReport["models"][number]): string {
  const end = (value: number | null, open: string) => (value === null ? open : formatScore(value))
  return `${end(low, "−∞")} to ${end(high, "∞")}`
}

/** Returns the sentence with the decision of an arena. */
export function arenaDecision({ winner, top, alpha, ended, rows }: ArenaReport): string {
  const wrong = `wrong with a probability of at most ${formatScore(alpha)}`
  if (winner !== null) return `The best model is ${winner} (${wrong}).`
  if (top !== null) return `The best ${top.length} models are ${top.join(", ")} (${wrong}).`
  const drawn = `${formatInteger(rows.drawn)} of ${formatInteger(rows.total)} rows`
  if (ended === "calls")
    return `No model is certain to be the best: the limit of judge calls was reached after ${drawn}.`
  return `No model is certain to be the best after ${drawn}: give more rows, or treat the models of the first group as equally good.`
}

/** Returns what an arena cost, against a round robin. */
export function arenaCost({ calls, answers, round_robin_calls: all }: ArenaReport): string {
  const share = all === 0 ? "" : ` (${formatShare(calls / all)} of a round robin in both orders)`
  return `${formatInteger(calls)} judge calls${share}, ${formatInteger(answers)} answers of models.`
}

const shareOf = ({ rate, low, high, n }: ArenaBias["ties"]) =>
  rate === null
    ? "not measured"
    : `${formatShare(rate)} (${formatShare(low)} to ${formatShare(high)}, ${formatInteger(n)} matches)`

/** Returns the biases of the judge with their intervals, and warnings about them. */
export function arenaBias({ bias, unreadable, repeated }: ArenaReport): readonly string[] {
  const { ties, position, longer_wins: length } = bias
  return [
    `Ties: ${shareOf(ties)}.`,
    `Position bias, another winner in the other order: ${shareOf(position)}.${position.low > 0.25 ? " The judge often looks at the order: use a stronger one." : ""}`,
    `The longer answer wins: ${shareOf(length)}.${length.low > 0.5 ? " The judge may prefer long answers: compare with labels of people." : ""}`,
    ...(unreadable === 0 ? [] : [`${formatInteger(unreadable)} matches have no verdict that can be read.`]),
    ...(repeated === 0
      ? []
      : [
          `${formatInteger(repeated)} matches have the question and the answers of an earlier one, and do not count: rows that come twice prove nothing twice.`,
        ]),
  ]
}

/** Returns a sentence about models that gave no answer to rows. */
export function arenaFailures({ models }: ArenaReport): readonly string[] {
  return models.flatMap(({ model, failed }) =>
    failed === 0 ? [] : [`${model} gave no answer to ${formatInteger(failed)} rows, which do not count for it.`],
  )
}
