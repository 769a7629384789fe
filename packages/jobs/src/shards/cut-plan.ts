import type { ShardLimits, ShardRange } from "@assay/job-store"
import type { JobPlan } from "@assay/evaluation"

export interface PlanCut {
  readonly ranges: readonly ShardRange[]
  readonly limits: ShardLimits
}

/** More workers than this would take longer to share the parallelism of a job than they save. */
const MAX_WORKERS = 64

/**
 * Cuts the rows of a plan into shards. Returns undefined if one worker has to run the plan: no task has more rows than a shard, the
 * rows of a task depend on each other, the tasks have different parallelisms, or the job has a budget.
 */
export async function cutPlan({ tasks, budget }: JobPlan, signal: AbortSignal): Promise<PlanCut | undefined> {
  // Workers can't know together how much of a budget is left.
  if (budget !== undefined) return undefined
  const parallelism = tasks[0]?.parallelism ?? 0
  if (tasks.some((task) => task.parallelism !== parallelism || task.rows.openRange === undefined)) return undefined
  const ranges: ShardRange[] = []
  for (const { name: task, rows, shardRows } of tasks) {
    const count = await rows.count(signal)
    for (let firstRow = 0; firstRow < count; firstRow += shardRows) {
      ranges.push({ task, firstRow, endRow: Math.min(firstRow + shardRows, count) })
    }
  }
  if (ranges.length <= tasks.length) return undefined
  return { ranges, limits: { parallelism, maxWorkers: Math.min(parallelism, ranges.length, MAX_WORKERS) } }
}
