import type { ScoreValue } from "@assay/schemas"
import { createSummary, type Stats } from "@assay/metrics"
import type { ScoreSummary } from "../plan-outcome.ts"

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

interface AboutRow {
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

/** The scores of rows that are asked several times. */
interface RepeatTally {
  add(value: number, row: number): void
  /** Undefined where a score was neither 0 nor 1, and where no row has all of its scores. */
  result(): ScoreSummary["repeats"]
}

const FIRST_CAPACITY = 1024

/** Keeps four bytes a row. */
function createRepeatTally(repeats: number): RepeatTally {
  let counts = new Uint16Array(FIRST_CAPACITY)
  let ones = new Uint16Array(FIRST_CAPACITY)
  let isBinary = true
  return {
    add(value, row) {
      if (value !== 0 && value !== 1) isBinary = false
      if (!isBinary) return
      if (row >= counts.length) {
        const capacity = 2 ** Math.ceil(Math.log2(row + 1))
        const [larger, largerOnes] = [new Uint16Array(capacity), new Uint16Array(capacity)]
        larger.set(counts)
        largerOnes.set(ones)
        ;[counts, ones] = [larger, largerOnes]
      }
      counts[row] = (counts[row] ?? 0) + 1
      ones[row] = (ones[row] ?? 0) + value
    },
    result() {
      if (!isBinary) return undefined
      let [rows, any, all, most] = [0, 0, 0, 0]
      for (const [row, count] of counts.entries()) {
        if (count < repeats) continue
        const right = ones[row] ?? 0
        rows++
        if (right > 0) any++
        if (right === count) all++
        if (2 * right > count) most++
      }
      if (rows === 0) return undefined
      const share = (part: number) => part / rows
      // Rows with some 1, less those with nothing else, are those that differ.
      const [pass_at_k, pass_pow_k, majority, flip_rate] = [share(any), share(all), share(most), share(any - all)]
      return { repeats, rows, pass_at_k, pass_pow_k, majority, flip_rate }
    },
  }
}
