import type { JobPlan } from "@assay/evaluation"
import type { ShardPlan } from "./shard-plan.ts"

/** Returns the number of rows of a task in all shards of a run. */
export function countRows({ shards }: Pick<ShardPlan, "shards">, task: string): number {
  let rows = 0
  for (const range of shards.flat()) if (range.task === task) rows += range.endRow - range.firstRow
  return rows
}

/** Returns a plan whose rows are counted as they were cut, and that reads none of them: they are in the journal. */
export function countedPlan(plan: JobPlan, shards: Pick<ShardPlan, "shards">): JobPlan {
  const tasks = plan.tasks.map((task) => ({
    ...task,
    rows: { async *open() {}, count: () => Promise.resolve(countRows(shards, task.name)) },
  }))
  return { ...plan, tasks }
}
