import type { PairComparison } from "@assay/schemas"
import { rowsNeeded } from "./rows-needed.ts"
import { comparePaired, type RowValues } from "@assay/metrics"

/** The values of a score in two jobs, by row. */
export interface ScorePair {
  readonly baseline: RowValues
  readonly values: RowValues
  /** The number of each row's group; null if rows have no groups. */
  readonly groups: RowValues | null
  /** Whether a row asks the same in both jobs. */
  readonly isSameRow: (row: number) => boolean
}

export interface CompareScoreOptions {
  readonly job: string
  readonly margin: number
  readonly higherIsBetter: boolean
  /** The lowest and the highest possible value; undefined if they are not known. */
  readonly range: readonly [low: number, high: number] | undefined
}

/** Compares a score of a job with the same score of the first job, row by row. Returns undefined if no row has both. */
export function compareScore(pair: ScorePair, options: CompareScoreOptions): PairComparison | undefined {
  const { a, b, clusters, leftOut } = pairUp(pair)
  const { job, margin, higherIsBetter, range } = options
  const found = comparePaired(a, b, { margin, higherIsBetter, range, ...(clusters === null ? {} : { clusters }) })
  if (found === null) return undefined
  const better = (index: number) => ((b[index] ?? 0) - (a[index] ?? 0)) * (higherIsBetter ? 1 : -1)
  let improved = 0
  let worsened = 0
  for (let index = 0; index < a.length; index++) {
    if (better(index) > 0) improved++
    else if (better(index) < 0) worsened++
  }
  // Equal results pass with any interval: it describes what other rows could show, and none of these rows got worse.
  const verdict = improved + worsened + leftOut === 0 ? "PASS" : found.verdict
  return {
    job,
    rows: found.rows,
    left_out: leftOut,
    baseline_mean: found.mean_a,
    mean: found.mean_b,
    difference: found.difference,
    interval: found.interval,
    p: found.p,
    method: found.method,
    only_baseline: found.only_a,
    only_job: found.only_b,
    smallest_detectable_effect: found.smallest_detectable_effect,
    improved,
    worsened,
    rows_needed: verdict === "INCONCLUSIVE" ? rowsNeeded({ ...found, limit: higherIsBetter ? -margin : margin }) : null,
    verdict,
  }
}

/** The values of the rows that both jobs scored. */
export interface PairedValues {
  readonly a: Float64Array
  readonly b: Float64Array
  /** The number of the row or group of each pair; null if each pair is a row of its own. */
  readonly clusters: Float64Array | null
  /** The number of the row of each pair. */
  readonly rows: Uint32Array
  readonly leftOut: number
}

/** Pairs the values of the rows that both jobs scored. Repeats of a row, and rows of a group, share a cluster number. */
export function pairUp({ baseline, values, groups, isSameRow }: ScorePair): PairedValues {
  const rows = Math.max(baseline.rows, values.rows)
  const repeats = Math.max(baseline.repeats, values.repeats)
  const a = new Float64Array(rows * repeats)
  const b = new Float64Array(rows * repeats)
  const clusters = repeats > 1 || groups !== null ? new Float64Array(rows * repeats) : null
  const numbers = new Uint32Array(rows * repeats)
  let count = 0
  let leftOut = 0
  for (let row = 0; row < rows; row++) {
    for (let repeat = 0; repeat < repeats; repeat++) {
      const one = baseline.get(row, repeat)
      const other = values.get(row, repeat)
      if (Number.isNaN(one) && Number.isNaN(other)) continue
      if (Number.isNaN(one) || Number.isNaN(other) || !isSameRow(row)) {
        leftOut++
        continue
      }
      a[count] = one
      b[count] = other
      numbers[count] = row
      if (clusters !== null) clusters[count] = groups?.get(row, 0) ?? row
      count++
    }
  }
  return {
    a: a.subarray(0, count),
    b: b.subarray(0, count),
    clusters: clusters?.subarray(0, count) ?? null,
    rows: numbers.subarray(0, count),
    leftOut,
  }
}
