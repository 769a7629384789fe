import type { ScoreSummary } from "../run-outcome.ts"
import type { ScoreValue } from "@assay/schemas"
import { createSummary, type Stats, type Steps } from "@assay/metrics"

/** Counts one score over the rows of a task. Zeros and ones are only counted; other values take 8 bytes each. */
export interface ScoreTally {
  /** Adds the value of a row. Undefined: the score does not apply to this row. */
  add(value: ScoreValue | undefined, row: number, about?: AboutRow): void
  readonly scored: number
  readonly unreadable: number
  readonly leftOut: number
  /** Returns the mean of the values so far; NaN if there are none. */
  mean(): number
  /** Computes the statistics in steps. */
  stats(): Steps<Stats>
  labels(): ScoreSummary["labels"]
  repeats(): ScoreSummary["repeats"]
}

interface AboutRow {
  /** The label that a rubric gave. */
  readonly label?: string | undefined
  /** The number of the row's group, if rows have groups. */
  readonly group?: number | undefined
}

interface Options {
  /** How often each row is asked. */
  readonly repeats: number
  /** Whether rows have groups. Default false. */
  readonly isGrouped?: boolean
  /** The labels of a rubric. */
  readonly labels?: readonly string[] | undefined
  readonly isAmount?: boolean | undefined
  /** The lowest and the highest possible value. Undefined: they are not known. */
  readonly range?: readonly [low: number, high: number] | undefined
}

export function createScoreTally({
  repeats,
  isGrouped = false,
  labels: known = [],
  isAmount = false,
  range,
}: Options): ScoreTally {
  const summary = createSummary({ isAmount, range, areRepeats: !isGrouped })
  const byRow = repeats > 1 ? createRepeatTally(repeats) : undefined
  const labels = new Map(known.map((label) => [label, 0]))
  let scored = 0
  let unreadable = 0
  let leftOut = 0
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
    mean: () => summary.mean(),
    stats: () => summary.resultInSteps(),
    labels: () => (labels.size === 0 ? undefined : Object.fromEntries(labels)),
    repeats: () => byRow?.result(),
  }
}

/** Counts the scores of rows that are asked several times. */
interface RepeatTally {
  add(value: number, row: number): void
  /** Returns undefined if a score was neither 0 nor 1, or if no row has a score in each repeat. */
  result(): ScoreSummary["repeats"]
}

const FIRST_CAPACITY = 1024

/** Creates the tally, which keeps 4 bytes for each row. */
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
        const larger = new Uint16Array(capacity)
        const largerOnes = new Uint16Array(capacity)
        larger.set(counts)
        largerOnes.set(ones)
        counts = larger
        ones = largerOnes
      }
      counts[row] = (counts[row] ?? 0) + 1
      ones[row] = (ones[row] ?? 0) + value
    },
    result() {
      if (!isBinary) return undefined
      let rows = 0
      let any = 0
      let all = 0
      let most = 0
      /** The number of rows with each number of 1s. */
      const rowsWith = new Uint32Array(repeats + 1)
      for (const [row, count] of counts.entries()) {
        if (count < repeats) continue
        const right = ones[row] ?? 0
        rowsWith[right] = (rowsWith[right] ?? 0) + 1
        rows++
        if (right > 0) any++
        if (right === count) all++
        if (2 * right > count) most++
      }
      if (rows === 0) return undefined
      const share = (part: number) => part / rows
      // The repeats of a row differ if some are 1 but not all.
      const pass_at_k = share(any)
      const pass_pow_k = share(all)
      const majority = share(most)
      const flip_rate = share(any - all)
      const pass_at = passAt(rowsWith)
      return { repeats, rows, pass_at_k, pass_pow_k, majority, flip_rate, pass_at }
    },
  }
}

/**
 * Returns the means of pass@1, pass@2, … over rows: 1 − C(n−c, k) / C(n, k) for c of n answers, each from the one before.
 * @param rowsWith the number of rows with each number of right answers
 */
function passAt(rowsWith: Uint32Array): readonly number[] {
  const repeats = rowsWith.length - 1
  const sums = new Float64Array(repeats)
  let rows = 0
  for (const [right, count] of rowsWith.entries()) {
    rows += count
    if (count === 0) continue
    let allWrong = 1
    for (let drawn = 0; drawn < repeats; drawn++) {
      allWrong *= Math.max(0, repeats - right - drawn) / (repeats - drawn)
      sums[drawn] = (sums[drawn] ?? 0) + count * (1 - allWrong)
    }
  }
  return Array.from(sums, (sum) => sum / rows)
}
