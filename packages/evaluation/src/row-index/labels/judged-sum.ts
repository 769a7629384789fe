import { createExactSquares, createExactSum, varianceOf } from "@assay/metrics"

/** What a judge says over many rows, and of rows with labels one by one. */
export interface JudgedSum {
  /** Rows with a score, each once, whatever its number of repeats. */
  readonly rows: number
  /** Rows and repeats with a score. */
  readonly values: number
  /** NaN without values. */
  readonly mean: number
  /** The standard deviation of single scores. */
  readonly deviation: number
  readonly low: number
  readonly high: number
  /** The scores that occur, if they are at most two. */
  readonly levels: readonly number[] | null
  /** How many scores there are at the highest of two levels. */
  readonly highest: number
  /** By number of a digest: the score, and how many rows and repeats have it. */
  readonly labelled: ReadonlyMap<number, { readonly score: number; readonly times: number }>
}

/** The place of a score in a job. */
export interface JudgedPlace {
  /** The number of the digest of item and output. NaN: unknown. */
  readonly digest: number
  readonly repeat: number
}

const MAX_LEVELS = 2

/**
 * Sums the scores of a judge without rounding. Memory does not grow with the number of rows, and their order does not matter.
 * @param labels the numbers of the digests that have a label
 */
export function createJudgedSum(labels: { has(digest: number): boolean }) {
  const labelled = new Map<number, { score: number; times: number }>()
  const levels = new Map<number, number>()
  const [sum, squares] = [createExactSum(), createExactSquares()]
  let [rows, values] = [0, 0]
  let [low, high] = [Infinity, -Infinity]
  return {
    /** Adds a score. One that is not finite counts as missing. */
    add(value: number, { digest, repeat }: JudgedPlace): void {
      if (!Number.isFinite(value)) return
      values++
      if (repeat === 0) rows++
      sum.add(value)
      squares.add(value)
      low = Math.min(low, value)
      high = Math.max(high, value)
      if (levels.size <= MAX_LEVELS) levels.set(value, (levels.get(value) ?? 0) + 1)
      if (!labels.has(digest)) return
      const known = labelled.get(digest)
      if (known === undefined) labelled.set(digest, { score: value, times: 1 })
      else known.times++
    },
    result(): JudgedSum {
      const isTwo = levels.size <= MAX_LEVELS
      const ordered = isTwo ? [...levels.keys()].toSorted((a, b) => a - b) : null
      return {
        rows,
        values,
        mean: sum.over(values),
        deviation: values < 2 ? 0 : Math.sqrt((varianceOf(sum, squares, values) * values) / (values - 1)),
        low,
        high,
        levels: ordered,
        highest: ordered === null ? 0 : (levels.get(ordered.at(-1) ?? 0) ?? 0),
        labelled,
      }
    },
  }
}
