import type { ShardFindings } from "@assay/registry"
import { joinConditions } from "../conditions/create-condition-finder.ts"

/** Joins the findings of several shards or workers. Each mean counts by its number of rows. */
export function joinFindings(all: readonly ShardFindings[]): ShardFindings {
  const sums = new Map<string, { sum: number; rows: number }>()
  for (const { means, rows } of all) {
    for (const [name, mean] of Object.entries(means)) {
      const known = sums.get(name) ?? { sum: 0, rows: 0 }
      sums.set(name, { sum: known.sum + mean * rows, rows: known.rows + rows })
    }
  }
  return {
    means: Object.fromEntries(
      sums.entries().flatMap(([name, { sum, rows }]) => (rows === 0 ? [] : [[name, sum / rows]])),
    ),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    conditions: joinConditions(all.flatMap(({ conditions }) => conditions)),
  }
}
