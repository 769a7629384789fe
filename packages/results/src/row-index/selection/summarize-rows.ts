import { anytimeInterval, createSummary, meanOf } from "@assay/metrics"
import { createRowOrder } from "../../rows/random-row-order.ts"
import { type DescribedStats, describeStats } from "../../scores/build-result.ts"
import { matchRows, type RowConditions } from "./match-rows.ts"
import type { RowTable } from "../table/row-table.ts"
import { requireScore } from "./score-names.ts"

/** Rows whose statistics are computed. */
export interface SummaryConditions extends RowConditions {
  /** How the rows so far were chosen, while the job runs. Absent: all rows exist. */
  readonly soFar?: RowsSoFar | undefined
}

/** The rows so far of a job that runs: the first ones of its files, or of a random order. */
export type RowsSoFar =
  | { readonly order: "file" }
  | {
      readonly order: "random"
      readonly seed: number
      /** Number of rows of the task. Null: it is not known. */
      readonly total: number | null
      readonly repeats: number
      /** Whether the mean of these rows is estimated, as for early gates, and not that of all rows like these. */
      readonly isOfSet: boolean
    }

/**
 * Computes the statistics of a score over the rows that match. Repeats of one row are not independent. While the job runs, an interval needs rows in random
 * order, no filter, and scores from 0 to 1. It is then valid at any number of requests. @throws `invalid_request`
 */
export function summarizeRows(table: RowTable, score: string, conditions: SummaryConditions): DescribedStats {
  const values = requireScore(table, score)
  const { entries } = table.order()
  const matches = matchRows(table, conditions).ranks.map((rank) => entries[rank] ?? 0)
  const unitOf = createUnits(table, matches)
  const summary = createSummary()
  for (const entry of matches) summary.add(values[entry] ?? Number.NaN, unitOf(entry))
  const stats = describeStats(summary.result())
  const { soFar, filters, texts } = conditions
  if (soFar === undefined) return stats
  const isRandom = soFar.order === "random" && filters.length === 0 && texts === undefined && stats.count > 0
  return { ...stats, interval: isRandom ? intervalSoFar(soFar, table, { matches, values }) : null }
}

/** Computes the interval of the rows whose predecessors in the random order are all done: quick rows would be chosen otherwise. */
function intervalSoFar(
  { seed, total, repeats, isOfSet }: Extract<RowsSoFar, { order: "random" }>,
  table: RowTable,
  { matches, values }: { readonly matches: Uint32Array; readonly values: ArrayLike<number> },
): DescribedStats["interval"] {
  if (total === null || total > MAX_ROWS) return null
  const order = createRowOrder(total, seed)
  const rows = table.numbers("row")
  const found = Array.from({ length: total }, (): number[] => [])
  for (const entry of matches) found[order.positionOf(Number(rows[entry])) ?? total]?.push(values[entry] ?? Number.NaN)
  const open = found.findIndex((ofRow) => ofRow.length < repeats)
  const means = found.slice(0, open === -1 ? total : open).map((ofRow) => meanOf(ofRow.filter(Number.isFinite)))
  const isBounded = means.every((mean) => !(mean < 0 || mean > 1))
  return means.length === 0 || !isBounded
    ? null
    : anytimeInterval(Float64Array.from(means), isOfSet ? total : undefined)
}

/** More rows take too long to be ordered each time. */
const MAX_ROWS = 100_000

/** Returns a function that numbers the rows of all tasks: the rows of each task follow those of the task before. */
function createUnits(table: RowTable, entries: Uint32Array): (entry: number) => number {
  const tasks = table.numbers("task")
  const rows = table.numbers("row")
  const sizes: number[] = []
  for (const entry of entries) {
    const task = Number(tasks[entry])
    sizes[task] = Math.max(sizes[task] ?? 0, Number(rows[entry]) + 1)
  }
  const starts: number[] = []
  let start = 0
  for (let task = 0; task < sizes.length; task++) {
    starts[task] = start
    start += sizes[task] ?? 0
  }
  return (entry) => (starts[Number(tasks[entry])] ?? 0) + Number(rows[entry])
}
