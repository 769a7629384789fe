import { type JobPlan, type planJob, readInOrder, type TaskPlan } from "@assay/evaluation"

type RateShare = NonNullable<Parameters<typeof planJob>[2]["ofRate"]>
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

/**
 * Returns how many rows of all shards together may fail. If more have failed, at least one task has more failed rows than its `max_failed_share` allows,
 * so that the job fails however its other rows are answered.
 */
export function mayFailIn({ tasks }: Pick<JobPlan, "tasks">, shards: Pick<ShardPlan, "shards">): number {
  return tasks.reduce(
    (sum, { name, maxFailedShare, repeats }) => sum + maxFailedShare * countRows(shards, name) * repeats + ROUNDING,
    0,
  )
}

/** Makes up for rounding: 0.57 × 100 is slightly less than 57. */
const ROUNDING = 1e-9

/**
 * Returns the part of a shard in the rate of its job. Its first request waits as long as those that follow, because the shard before it, in the same place, may
 * have just sent its last one. Its turns are between those of the shards that run at the same time, as far as the clocks of their machines agree.
 * @param now returns milliseconds since 1970, UTC
 */
export function rateOfShard(index: number, atOnce: number, now: () => number): RateShare {
  return {
    share: () => 1 / atOnce,
    firstMs(spacing) {
      const phase = (spacing * (index % atOnce)) / atOnce
      const late = (now() + spacing - phase) % spacing
      return spacing + (late === 0 ? 0 : spacing - late)
    },
  }
}

function rowsOf({ rows }: TaskPlan, range: { readonly start: number; readonly end: number }): TaskPlan["rows"] {
  const { openRange } = rows
  return {
    // Rows that depend on each other are in one shard.
    open: (signal) => openRange?.(range, signal) ?? rows.open(signal),
    count: () => Promise.resolve(range.end - range.start),
  }
}

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
