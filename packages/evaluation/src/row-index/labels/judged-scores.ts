import type { RowTable } from "../table/row-table.ts"
import { findScore } from "../selection/score-names.ts"

/** The scores of a judge, and those of rows with labels one by one. */
export interface JudgedScores {
  /** The name of the score, as `metric.score`. */
  readonly score: string
  /** Rows with a score, each once, whatever its number of repeats. */
  readonly rows: number
  /** Rows and repeats with a score. */
  readonly values: number
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

const MAX_LEVELS = 2

/** Returns the scores of a judge over all rows, and those of the labelled digests. @throws `invalid_request` for an unknown score */
export function judgedScores(table: RowTable, wanted: string, labels: ReadonlySet<number>): JudgedScores {
  const { name: score, numbers } = findScore(table, wanted)
  const [digests, repeats] = [table.numbers("digest"), table.numbers("repeat")]
  const labelled = new Map<number, { score: number; times: number }>()
  const levels = new Map<number, number>()
  let [rows, values, sum, squares] = [0, 0, 0, 0]
  let [low, high] = [Infinity, -Infinity]
  for (const entry of table.order().entries) {
    const value = numbers[entry] ?? Number.NaN
    if (!Number.isFinite(value)) continue
    values++
    if (repeats[entry] === 0) rows++
    // Welford's method: the squares of large scores would lose their small differences.
    const off = value - sum / Math.max(1, values - 1)
    sum += value
    squares += off * (value - sum / values)
    low = Math.min(low, value)
    high = Math.max(high, value)
    if (levels.size <= MAX_LEVELS) levels.set(value, (levels.get(value) ?? 0) + 1)
    const digest = digests[entry] ?? Number.NaN
    if (!labels.has(digest)) continue
    const known = labelled.get(digest)
    if (known === undefined) labelled.set(digest, { score: value, times: 1 })
    else known.times++
  }
  const isTwo = levels.size <= MAX_LEVELS
  const ordered = isTwo ? [...levels.keys()].toSorted((a, b) => a - b) : null
  return {
    score,
    rows,
    values,
    mean: sum / values,
    deviation: values < 2 ? 0 : Math.sqrt(squares / (values - 1)),
    low,
    high,
    levels: ordered,
    highest: ordered === null ? 0 : (levels.get(ordered.at(-1) ?? 0) ?? 0),
    labelled,
  }
}
