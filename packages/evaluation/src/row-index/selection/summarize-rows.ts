import { anytimeInterval, createSummary } from "@assay/metrics"
import { type DescribedStats, describeStats } from "../../results/scores/build-result.ts"
import { matchRows, type RowConditions, type TextMatches } from "./match-rows.ts"
import type { RowTable } from "../table/row-table.ts"
import { requireScore } from "./score-names.ts"

/** Rows whose statistics are computed. */
export interface SummaryConditions extends RowConditions {
  /** The number of rows of the whole job while it runs. Then intervals of scores from 0 to 1 are valid however often somebody asks. */
  readonly population?: number | undefined
}

/** Computes the statistics of a score over the rows that match. Repeats of one row are not independent. @throws `invalid_request` */
export function summarizeRows(
  table: RowTable,
  score: string,
  conditions: SummaryConditions,
  texts: TextMatches,
): DescribedStats {
  const values = requireScore(table, score)
  const { entries } = table.order()
  const matches = matchRows(table, conditions, texts).ranks.map((rank) => entries[rank] ?? 0)
  const unitOf = createUnits(table, matches)
  const summary = createSummary()
  for (const entry of matches) summary.add(values[entry] ?? Number.NaN, unitOf(entry))
  const stats = describeStats(summary.result())
  const { population } = conditions
  if (population === undefined || conditions.filters.length > 0) return stats
  // Rows come in the order in which they were answered.
  const arrived = matches.toSorted()
  const isRepeated = new Set(Array.from(arrived, unitOf)).size < arrived.length
  const found = Float64Array.from(arrived, (entry) => values[entry] ?? Number.NaN)
  if (isRepeated || found.some((value) => value < 0 || value > 1)) return stats
  return { ...stats, interval: stats.count === 0 ? null : anytimeInterval(found, population) }
}

/** Returns a function that numbers the rows of all tasks: the rows of each task follow those of the task before. */
function createUnits(table: RowTable, entries: Uint32Array): (entry: number) => number {
  const [tasks, rows] = [table.numbers("task"), table.numbers("row")]
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
