import { createExactSum, type ExactSum } from "@assay/metrics"
import type { ShardFindings } from "@assay/job-store"
import { conditionFunctions } from "@assay/results"

/** Joins the findings of several shards or workers. Each mean counts by its number of rows. The order of findings does not matter. */
export function joinFindings(all: readonly ShardFindings[]): ShardFindings {
  const sums = new Map<string, { readonly sum: ExactSum; rows: number }>()
  for (const { means, rows } of all) {
    for (const [name, mean] of Object.entries(means)) {
      const known = sums.get(name) ?? { sum: createExactSum(), rows: 0 }
      known.sum.addProduct(mean, rows)
      known.rows += rows
      sums.set(name, known)
    }
  }
  return {
    means: Object.fromEntries(
      sums.entries().flatMap(([name, { sum, rows }]) => (rows === 0 ? [] : [[name, sum.over(rows)]])),
    ),
    rows: all.reduce((sum, { rows }) => sum + rows, 0),
    conditions: conditionFunctions.join(all.flatMap(({ conditions }) => conditions)),
  }
}
