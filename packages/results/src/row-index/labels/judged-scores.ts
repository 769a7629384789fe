import type { RowTable } from "../table/row-table.ts"
import { findScore } from "../selection/score-names.ts"
import { createJudgedSum, type JudgedSum } from "./judged-sum.ts"
import { countLeftOpen } from "./left-open.ts"

/** The scores of a judge, and those of rows with labels one by one. */
export interface JudgedScores extends JudgedSum {
  /** The name of the score, as `metric.score`. */
  readonly score: string
  /** Rows that were drawn before a row with a label, and have none. */
  readonly leftOpen: number
}

/** By number of a digest that has a label: the draw that it is from, or null. */
export type LabelledDigests = ReadonlyMap<number, string | null>

/** Returns the scores of a judge over all rows, and those of the labelled digests. @throws `invalid_request` for an unknown score */
export function judgedScores(table: RowTable, wanted: string, labels: LabelledDigests): JudgedScores {
  const { name: score, numbers } = findScore(table, wanted)
  const digests = table.numbers("digest")
  const repeats = table.numbers("repeat")
  const sum = createJudgedSum(labels)
  const { entries } = table.order()
  for (const entry of entries) {
    sum.add(numbers[entry] ?? Number.NaN, { digest: digests[entry] ?? Number.NaN, repeat: repeats[entry] ?? 0 })
  }
  const leftOpen = countLeftOpen((visit) => {
    for (const entry of entries) {
      const digest = digests[entry] ?? Number.NaN
      const value = numbers[entry] ?? Number.NaN
      if (Number.isFinite(value) && !Number.isNaN(digest)) visit(digest, value)
    }
  }, labels)
  return { score, ...sum.result(), leftOpen }
}
