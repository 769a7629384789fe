import { createExactSquares, createExactSum, varianceOf } from "@assay/metrics"

/** The scores of a judge: summed over many rows, and one by one for rows with labels. */
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
  /** By number of a digest: rows that people labelled. */
  readonly labelled: ReadonlyMap<number, LabelledRow>
  /** By number of a group, if rows have groups. */
  readonly clusters: ReadonlyMap<number, JudgedGroup> | undefined
}

export interface LabelledRow {
  /** The mean of the scores of equal rows. */
  readonly score: number
  /** How many rows and repeats have the digest. */
  readonly times: number
  /** The group of the first of them. */
  readonly cluster: number | undefined
}

/** The rows of one group. */
export interface JudgedGroup {
  readonly rows: number
  /** The sum of their scores. */
  readonly scores: number
}

/** The row of a score in a job. */
export interface JudgedRow {
  /** The number of the digest of item and output. NaN: unknown. */
  readonly digest: number
  readonly repeat: number
  /** The number of the row's group. Undefined: rows have no groups. */
  readonly cluster?: number | undefined
}

const MAX_LEVELS = 2

/**
 * Sums the scores of a judge without rounding. Memory does not grow with the number of rows, only with that of groups, and the order of rows does not matter.
 * @param labels the numbers of the digests that have a label
 */
export function createJudgedSum(labels: { has(digest: number): boolean }) {
  const labelled = new Map<number, { sum: number; times: number; cluster: number | undefined }>()
  const clusters = new Map<number, { rows: number; scores: number }>()
  const levels = new Map<number, number>()
  const sum = createExactSum()
  const squares = createExactSquares()
  let rows = 0
  let values = 0
  let low = Infinity
  let high = -Infinity
  return {
    /** Adds a score. One that is not finite counts as missing. */
    add(value: number, { digest, repeat, cluster }: JudgedRow): void {
      if (!Number.isFinite(value)) return
      values++
      if (repeat === 0) rows++
      sum.add(value)
      squares.add(value)
      low = Math.min(low, value)
      high = Math.max(high, value)
      if (levels.size <= MAX_LEVELS) levels.set(value, (levels.get(value) ?? 0) + 1)
      if (cluster !== undefined) {
        const group = clusters.get(cluster) ?? { rows: 0, scores: 0 }
        clusters.set(cluster, { rows: group.rows + 1, scores: group.scores + value })
      }
      if (!labels.has(digest)) return
      const known = labelled.get(digest) ?? { sum: 0, times: 0, cluster }
      labelled.set(digest, known)
      known.sum += value
      known.times++
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
        labelled: new Map(
          [...labelled].map(([digest, { sum: total, times, cluster }]) => {
            return [digest, { score: total / times, times, cluster }]
          }),
        ),
        clusters: clusters.size === 0 ? undefined : clusters,
      }
    },
  }
}
