import { checkArgument } from "../check-argument.ts"
import type { Interval } from "../intervals/interval.ts"
import { intervalAgreementInterval, type RatedPair } from "./interval-agreement-interval.ts"
import { cohenKappa } from "./kappa.ts"
import { krippendorffAlpha } from "./krippendorff-alpha.ts"
import { type LabelTable, MAX_TABLE_LABELS, nominalAgreementIntervals } from "./nominal-agreement-interval.ts"

export interface PairAgreementOptions {
  /** `nominal`: numbers are names of labels, which are equal or not. `interval`: they differ by their difference. */
  readonly level: "nominal" | "interval"
  /** The lowest and the highest possible number. Default: those that occur. */
  readonly scale?: readonly [low: number, high: number]
  /** Of the draws for the intervals. */
  readonly seed?: number
}

/** How far two raters agree. */
export interface PairAgreement {
  readonly rows: number
  /** Rows with equal numbers. */
  readonly same: number
  /** Cohen's kappa of labels; null for numbers of a scale, for more than 1,000 labels, and if only one label occurs. */
  readonly kappa: number | null
  readonly kappa_interval: Interval | null
  /** Krippendorff's alpha; null if only one value occurs. */
  readonly alpha: number | null
  readonly alpha_interval: Interval | null
}

/**
 * Measures how far two raters agree beyond chance about the same rows, with intervals that hold from a few rows on. The agreement of a single value is not
 * defined: raters who always say the same show nothing about how they decide.
 */
export function pairAgreement(pairs: readonly RatedPair[], options: PairAgreementOptions): PairAgreement {
  const { level, seed = 0 } = options
  for (const pair of pairs)
    for (const value of pair) checkArgument(Number.isFinite(value), "pairs", value, "finite numbers")
  const values = new Set(pairs.flat())
  const counts = { rows: pairs.length, same: pairs.filter(([a, b]) => a === b).length }
  const none = { ...counts, kappa: null, kappa_interval: null, alpha: null, alpha_interval: null }
  if (values.size < 2) return none
  const { alpha, interval: bootstrapped } = krippendorffAlpha(pairs, {
    level,
    seed,
    resamples: level === "nominal" && values.size > MAX_TABLE_LABELS ? 2000 : 1,
  })
  if (level === "interval") {
    const scale = scaleOf(values, options.scale)
    return { ...none, alpha, alpha_interval: around(alpha, intervalAgreementInterval(pairs, scale, { seed })) }
  }
  if (values.size > MAX_TABLE_LABELS) {
    const found = values.size > MAX_KAPPA_LABELS ? undefined : cohenKappa(...columnsOf(pairs))
    return { ...none, ...kappaOf(found), alpha, alpha_interval: bootstrapped }
  }
  const table = tableOf(pairs, values)
  const [ofKappa = null, ofAlpha = null] = nominalAgreementIntervals(table, [kappaOfShares, alphaOfShares], { seed })
  const kappa = kappaOfShares(table)
  return { ...counts, kappa, kappa_interval: around(kappa, ofKappa), alpha, alpha_interval: around(alpha, ofAlpha) }
}

/** Returns an interval that contains its estimate, which that of very few rows may miss: the estimate is corrected for their number. */
function around(estimate: number | null, interval: Interval | null): Interval | null {
  if (estimate === null || interval === null) return interval
  return { ...interval, low: Math.min(interval.low, estimate), high: Math.max(interval.high, estimate) }
}

/** A table of kappa has a cell for each pair of labels. */
const MAX_KAPPA_LABELS = 1000

function kappaOf(found: ReturnType<typeof cohenKappa> | undefined): Pick<PairAgreement, "kappa" | "kappa_interval"> {
  return { kappa: found?.kappa ?? null, kappa_interval: found?.interval ?? null }
}

function columnsOf(pairs: readonly RatedPair[]): [number[], number[]] {
  return [pairs.map(([a]) => a), pairs.map(([, b]) => b)]
}

function scaleOf(values: ReadonlySet<number>, given: PairAgreementOptions["scale"]): readonly [number, number] {
  let [low, high] = given ?? [Infinity, -Infinity]
  for (const value of values) {
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  return [low, high]
}

function tableOf(pairs: readonly RatedPair[], values: ReadonlySet<number>): number[][] {
  const indexes = new Map([...values].map((value, at) => [value, at]))
  const table = [...values].map(() => [...values].map(() => 0))
  for (const [a, b] of pairs) {
    const row = table[indexes.get(a) ?? 0]
    const column = indexes.get(b) ?? 0
    if (row !== undefined) row[column] = (row[column] ?? 0) + 1
  }
  return table
}

/** Returns Cohen's kappa of a table of counts or shares; null if only one label occurs. */
function kappaOfShares(shares: LabelTable): number | null {
  const { total, same, rows, columns } = marginsOf(shares)
  return beyondChance(
    same / total,
    rows.reduce((sum, row, at) => sum + (row * (columns[at] ?? 0)) / total ** 2, 0),
  )
}

/** Returns alpha of so many rows that one more does not change it: Scott's pi. Krippendorff (2011) names the relation. */
function alphaOfShares(shares: LabelTable): number | null {
  const { total, same, rows, columns } = marginsOf(shares)
  return beyondChance(
    same / total,
    rows.reduce((sum, row, at) => sum + ((row + (columns[at] ?? 0)) / (2 * total)) ** 2, 0),
  )
}

function beyondChance(same: number, byChance: number): number | null {
  return byChance < 1 ? (same - byChance) / (1 - byChance) : null
}

function marginsOf(shares: LabelTable) {
  const rows = shares.map((row) => row.reduce((sum, share) => sum + share, 0))
  const columns = shares.map((_, at) => shares.reduce((sum, row) => sum + (row[at] ?? 0), 0))
  const total = rows.reduce((sum, row) => sum + row, 0)
  const same = shares.reduce((sum, row, at) => sum + (row[at] ?? 0), 0)
  return { rows, columns, total, same }
}
