import type { ScoreValue } from "@assay/schemas"
import { createSummary, type Stats } from "@assay/metrics"
import type { ScoreSummary } from "./plan-outcome.ts"
import { createRepeatTally } from "./repeat-tally.ts"

/** One score over the rows of a task: zeros and ones are counted, other values take eight bytes each. */
export interface ScoreTally {
  /** Undefined: it says nothing about this row. */
  add(value: ScoreValue | undefined, row: number, about?: AboutRow): void
  readonly scored: number
  readonly unreadable: number
  readonly leftOut: number
  /** Of what was added so far; NaN of nothing. */
  mean(): number
  stats(): Stats
  labels(): ScoreSummary["labels"]
  repeats(): ScoreSummary["repeats"]
}

export interface AboutRow {
  /** Of a rubric. */
  readonly label?: string | undefined
  /** The number of its group, where rows have one. */
  readonly group?: number | undefined
}

interface Options {
  /** Times each row is asked. */
  readonly repeats: number
  /** Whether rows come with the number of a group. Default false. */
  readonly isGrouped?: boolean
  /** Of a rubric. */
  readonly labels?: readonly string[] | undefined
  readonly isAmount?: boolean | undefined
}

export function createScoreTally({
  repeats,
  isGrouped = false,
  labels: known = [],
  isAmount = false,
}: Options): ScoreTally {
  const summary = createSummary({ isAmount })
  const byRow = repeats > 1 ? createRepeatTally(repeats) : undefined
  const labels = new Map(known.map((label) => [label, 0]))
  let [scored, unreadable, leftOut, sum] = [0, 0, 0, 0]
  return {
    add(value, row, { label, group } = {}) {
      if (value === undefined) {
        leftOut++
        return
      }
      const number = typeof value === "number" ? value : Number.NaN
      summary.add(number, isGrouped ? group : byRow === undefined ? undefined : row)
      if (!Number.isFinite(number)) {
        unreadable++
        return
      }
      scored++
      sum += number
      byRow?.add(number, row)
      if (label !== undefined) labels.set(label, (labels.get(label) ?? 0) + 1)
    },
    get scored() {
      return scored
    },
    get unreadable() {
      return unreadable
    },
    get leftOut() {
      return leftOut
    },
    mean: () => sum / scored,
    stats: () => summary.result(),
    labels: () => (labels.size === 0 ? undefined : Object.fromEntries(labels)),
    repeats: () => byRow?.result(),
  }
}
