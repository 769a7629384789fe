import { checkArgument, checkShare } from "../check-argument.ts"
import { normalQuantile } from "../distributions/normal-distribution.ts"
import type { Interval, IntervalOptions } from "../intervals/interval.ts"
import { shareOf } from "./classification.ts"

export type Label = string | number | boolean

export interface KappaOptions extends IntervalOptions {
  /**
   * How much two different labels disagree: `none` counts all pairs of them alike, `linear` by their distance in the order of the labels, and
   * `quadratic` by the square of it. Default `none`.
   */
  readonly weights?: KappaWeights
}

export type KappaWeights = "none" | "linear" | "quadratic"

export interface LabelKappaOptions extends KappaOptions {
  /**
   * All labels in their order, also those that do not occur. Default: the labels that occur, numbers in rising order. Weights need it
   * if labels are not numbers.
   */
  readonly order?: readonly Label[]
}

/** The table has a cell for each pair of labels. */
const MAX_LABELS = 1000

/**
 * Measures how much two raters agree beyond chance: Cohen's kappa of the labels that they gave to the same rows.
 * Labels are equal if they are the same value. Throws `invalid_request` for lists of different lengths, for more than 1,000 different
 * labels, and for labels that `order` does not have.
 */
export function cohenKappa(a: readonly Label[], b: readonly Label[], options: LabelKappaOptions = {}): Agreement {
  checkArgument(a.length === b.length, "b", b.length, `as many labels as there are in a: ${a.length}`)
  const labels = orderOf(new Set([...a, ...b]), options)
  checkArgument(labels.length <= MAX_LABELS, "labels", labels.length, `at most ${MAX_LABELS} different labels`)
  const indexes = new Map(labels.map((label, at) => [label, at]))
  const table = labels.map(() => labels.map(() => 0))
  for (const [at, label] of a.entries()) {
    const row = table[indexes.get(label) ?? 0]
    const column = indexes.get(b[at] ?? label) ?? 0
    if (row !== undefined) row[column] = (row[column] ?? 0) + 1
  }
  return kappaOfTable(table, options)
}

function orderOf(found: ReadonlySet<Label>, { weights = "none", order }: LabelKappaOptions): readonly Label[] {
  if (order !== undefined) {
    const known = new Set(order)
    for (const label of found) checkArgument(known.has(label), "order", label, "every label that occurs")
    return [...known]
  }
  if (weights === "none") return [...found]
  for (const label of found)
    checkArgument(typeof label === "number", "labels", label, "numbers, or the order of the labels")
  return [...found].toSorted((one, other) => Number(one) - Number(other))
}

export interface Agreement {
  /** 1 is full agreement, 0 is agreement by chance. Null if chance alone would give full agreement. */
  readonly kappa: number | null
  /** The share of rows with equal labels. Null without rows. */
  readonly agreement: number | null
  /** An interval of kappa by its standard error, for more than a few rows. Null if kappa is null, and if no two labels differ. */
  readonly interval: Interval | null
}

/**
 * Computes Cohen's kappa from a table that counts in row i and column j how often A said i and B said j. Weights use the order of the
 * table's rows, so a label that does not occur counts as a step.
 * Sources: Cohen, Educational and Psychological Measurement 20 (1960), 37–46, and for weights Psychological Bulletin 70 (1968), 213–220;
 * for the interval Fleiss, Cohen and Everitt, Psychological Bulletin 72 (1969), 323–327. Throws `invalid_request`.
 */
export function kappaOfTable(table: readonly (readonly number[])[], options: KappaOptions = {}): Agreement {
  const { weights = "none", confidence = 0.95 } = options
  checkShare("confidence", confidence)
  const { rows, columns, total, same } = marginsOf(table)
  if (total === 0) return { kappa: null, agreement: null, interval: null }
  const distance = DISTANCES[weights]
  let observed = 0
  let byChance = 0
  for (const [at, row] of table.entries())
    for (const [column, count] of row.entries()) {
      observed += distance(at, column) * count
      byChance += distance(at, column) * (rows[at] ?? 0) * (columns[column] ?? 0)
    }
  const ratio = shareOf(observed * total, byChance)
  const agreement = same / total
  if (ratio === null) return { kappa: null, agreement, interval: null }
  const kappa = 1 - ratio
  if (same === total) return { kappa, agreement, interval: null }
  const width = normalQuantile((1 + confidence) / 2) * kappaError(table, weights)
  const interval: Interval = {
    low: Math.max(-1, kappa - width),
    high: Math.min(1, kappa + width),
    confidence,
    method: "fleiss-cohen-everitt",
  }
  return { kappa, agreement, interval: width > 0 ? interval : null }
}

const DISTANCES: Readonly<Record<KappaWeights, (a: number, b: number) => number>> = {
  none: (a, b) => (a === b ? 0 : 1),
  linear: (a, b) => Math.abs(a - b),
  quadratic: (a, b) => (a - b) ** 2,
}

function marginsOf(table: readonly (readonly number[])[]) {
  const { length } = table
  const rows = new Float64Array(length)
  const columns = new Float64Array(length)
  let total = 0
  let same = 0
  for (const [at, row] of table.entries()) {
    checkArgument(row.length === length, "table", row.length, `as many columns as rows, which are ${length}`)
    for (const [column, count] of row.entries()) {
      checkArgument(count >= 0, "table", count, "counts, 0 or more")
      rows[at] = (rows[at] ?? 0) + count
      columns[column] = (columns[column] ?? 0) + count
      total += count
    }
    same += row[at] ?? 0
  }
  return { rows, columns, total, same }
}

/** Returns the standard error of kappa in large samples, by formula 14 of Fleiss, Cohen and Everitt. */
function kappaError(table: readonly (readonly number[])[], weights: KappaWeights): number {
  const { rows, columns, total } = marginsOf(table)
  const furthest = DISTANCES[weights](0, table.length - 1) || 1
  const weight = (a: number, b: number) => 1 - DISTANCES[weights](a, b) / furthest
  const meanOf = (margin: Float64Array, at: number) =>
    margin.reduce((sum, count, other) => sum + count * weight(at, other), 0) / total
  const ofRow = table.map((_, at) => meanOf(columns, at))
  const ofColumn = table.map((_, at) => meanOf(rows, at))
  const expected = ofRow.reduce((sum, mean, at) => sum + (mean * (rows[at] ?? 0)) / total, 0)
  const sumCells = (of: (at: number, column: number) => number) =>
    table.reduce((sum, row, at) => sum + row.reduce((part, n, column) => part + (n / total) * of(at, column), 0), 0)
  const observed = sumCells(weight)
  const squares = sumCells(
    (at, column) =>
      (weight(at, column) * (1 - expected) - ((ofRow[at] ?? 0) + (ofColumn[column] ?? 0)) * (1 - observed)) ** 2,
  )
  const variance = squares - (observed * expected - 2 * expected + observed) ** 2
  return Math.sqrt(Math.max(0, variance) / total) / (1 - expected) ** 2
}
