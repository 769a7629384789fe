import { type JobPlan, readInOrder, type TaskPlan } from "@assay/evaluation"
import { rowOrder } from "@assay/results"
import { AssayError } from "@assay/schemas"
import type { ShardPlan, TaskRange } from "./shard-plan.ts"

/**
 * Returns the tasks of a shard: those of the job with its rows alone, and with its part of the parallelism. If the job has a budget, the rows are in
 * random order: the first rows of a sorted dataset would say nothing about the others.
 * @throws `bad_document` if the job has no such task
 */
export function tasksOfShard(
  { tasks }: Pick<JobPlan, "tasks">,
  ranges: readonly TaskRange[],
  { id, at_once, job }: Pick<ShardPlan, "id" | "at_once" | "job">,
): readonly TaskPlan[] {
  const isRandom = job.config.params?.budget !== undefined
  return ranges.map(({ task: name, firstRow, endRow }) => {
    const task = tasks.find((one) => one.name === name)
    if (task === undefined) throw new AssayError("bad_document", `The job of the run has no task '${name}'.`)
    const rows = rowsOf(task, { start: firstRow, end: endRow })
    const size = endRow - firstRow
    const order = rowOrder.create(size, rowOrder.seedOf(`${id} ${name} ${firstRow}`))
    const ofRange = { ...order, positionOf: (row: number) => order.positionOf(row - firstRow) }
    return {
      ...task,
      rows: isRandom ? readInOrder(rows, async () => ofRange) : rows,
      parallelism: Math.max(1, Math.floor(task.parallelism / at_once)),
      // How many rows may fail is decided over all shards.
      maxFailedShare: 1,
      // The merge splits the scores of all shards.
      slices: [],
    }
  })
}

function rowsOf({ rows }: TaskPlan, range: { readonly start: number; readonly end: number }): TaskPlan["rows"] {
  const { openRange } = rows
  return {
    // Rows that depend on each other are in one shard.
    open: (signal) => openRange?.(range, signal) ?? rows.open(signal),
    count: () => Promise.resolve(range.end - range.start),
  }
}
