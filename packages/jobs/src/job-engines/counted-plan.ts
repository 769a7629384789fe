import type { JobPlan } from "@assay/evaluation"
import type { ShardPlan } from "../cut-runs/shard-plan.ts"

/** Returns a plan whose rows are counted as they were cut, and that reads none of them: they are in the journal. */
export function countedPlan(plan: JobPlan, { shards }: Pick<ShardPlan, "shards">): JobPlan {
  const ranges = Map.groupBy(shards.flat(), ({ task }) => task)
  const rowsOf = (task: string) =>
    (ranges.get(task) ?? []).reduce((sum, { firstRow, endRow }) => sum + endRow - firstRow, 0)
  const tasks = plan.tasks.map((task) => ({
    ...task,
    rows: { async *open() {}, count: () => Promise.resolve(rowsOf(task.name)) },
  }))
  return { ...plan, tasks }
}
