import { createSummary } from "@assay/metrics"
import { type DescribedStats, describeStats } from "../../results/scores/build-result.ts"
import { matchRows, type RowConditions, type TextMatches } from "./match-rows.ts"
import type { RowTable } from "../table/row-table.ts"
import { requireScore } from "./score-names.ts"

/** Computes the statistics of a score over the rows that match. Repeats of one row are not independent. @throws `invalid_request` */
export function summarizeRows(
  table: RowTable,
  score: string,
  conditions: RowConditions,
  texts: TextMatches,
): DescribedStats {
  const values = requireScore(table, score)
  const { entries } = table.order()
  const matches = matchRows(table, conditions, texts).ranks.map((rank) => entries[rank] ?? 0)
  const unitOf = createUnits(table, matches)
  const summary = createSummary()
  for (const entry of matches) summary.add(values[entry] ?? Number.NaN, unitOf(entry))
  return describeStats(summary.result())
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
