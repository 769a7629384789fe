import type { ScoreSummary } from "./plan-outcome.ts"

/** The scores of rows that are asked several times. */
export interface RepeatTally {
  add(value: number, row: number): void
  /** Undefined where a score was neither 0 nor 1, and where no row has all of its scores. */
  result(): ScoreSummary["repeats"]
}

const FIRST_CAPACITY = 1024

/** Keeps four bytes a row. */
export function createRepeatTally(repeats: number): RepeatTally {
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
