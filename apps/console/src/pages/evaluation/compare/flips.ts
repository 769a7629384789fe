import type { RowFilters } from "@assay/client"
import type { ComparedRowChange, PairComparison, ScoreComparison } from "@assay/schemas"

/** How a row changed from the baseline to the job. `right` and `wrong`: both have the better, or the worse, of two values. */
export type Flip = "worse" | "better" | "same" | "right" | "wrong"
const FLIPS: readonly string[] = ["worse", "better", "same", "right", "wrong"] satisfies readonly Flip[]

/** Reads a flip from an address. */
export function readFlip(text: string | undefined): Flip | undefined {
  return text !== undefined && FLIPS.includes(text) ? (text as Flip) : undefined
}

/** Returns what selects the rows of a flip. */
export function selectionOf(
  flip: Flip | undefined,
  { metric, score, higher_is_better: isHigherBetter }: ScoreComparison,
): { readonly change?: ComparedRowChange; readonly filter?: RowFilters } {
  if (flip === undefined) return {}
  if (flip === "worse" || flip === "better") {
    return { change: (flip === "better") === isHigherBetter ? "up" : "down" }
  }
  if (flip === "same") return { change: "same" }
  const value = (flip === "right") === isHigherBetter ? "1" : "0"
  return { change: "same", filter: { [`score:${metric}.${score}`]: { $eq: value } } }
}

/** The numbers of rows by what they were and are. */
export type FlipCounts = Readonly<Partial<Record<Flip, number>>>

/** Counts the rows of a pair by their flips: as a table of two by two if all scores are 0 or 1, else as worse, same and better. */
export function flipCounts(pair: PairComparison, { higher_is_better: isHigherBetter }: ScoreComparison): FlipCounts {
  const { only_baseline: onlyA, only_job: onlyB, rows, mean, improved, worsened } = pair
  if (onlyA === null || onlyB === null) {
    return { worse: worsened, same: Math.max(0, rows - improved - worsened), better: improved }
  }
  const ones = Math.round(mean * rows) - onlyB
  const zeros = rows - ones - onlyA - onlyB
  return isHigherBetter
    ? { right: ones, worse: onlyA, better: onlyB, wrong: zeros }
    : { right: zeros, worse: onlyB, better: onlyA, wrong: ones }
}
