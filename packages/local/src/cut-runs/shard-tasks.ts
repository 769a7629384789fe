import { earlyGates, type JobPlan, type planJob, type TaskPlan } from "@assay/evaluation"
import { rowOrder } from "@assay/results"
import { AssayError } from "@assay/schemas"
import { type ShardPlan, countRows, isLane, type LaneRange, type RowRange, type TaskRange } from "@assay/executors"

type RateShare = NonNullable<Parameters<typeof planJob>[2]["ofRate"]>
type RowOrder = ReturnType<typeof rowOrder.create>

/**
 * Returns the tasks of a shard: those of the job with its rows alone, and with its part of the parallelism. Rows of a task that its gates can end are in the
 * random order of the job. If the job has a budget, all others are in random order, too: the first rows of a sorted dataset would say nothing about the others.
 * @throws `bad_document` if the job has no such task
 */
export function tasksOfShard(
  { tasks }: Pick<JobPlan, "tasks">,
  ranges: readonly TaskRange[],
  plan: Pick<ShardPlan, "id" | "at_once" | "job" | "shards">,
): readonly TaskPlan[] {
  return ranges.map((range) => {
    const task = tasks.find((one) => one.name === range.task)
    if (task === undefined) throw new AssayError("bad_document", `The job of the run has no task '${range.task}'.`)
    return {
      ...task,
      rows: isLane(range) ? rowsOfLane(task, range, plan) : rowsOfRange(task, range, plan),
      parallelism: Math.max(1, Math.floor(task.parallelism / plan.at_once)),
      // How many rows may fail is decided over all shards.
      maxFailedShare: 1,
      // The merge splits the scores of all shards, and decides its gates.
      slices: [],
      early: undefined,
    }
  })
}

/** Returns the random order of the rows of a task, which is that of one process with the same job. @throws `bad_document` for more rows than an order has */
export function orderOfTask(plan: Pick<ShardPlan, "id" | "shards">, task: string): RowOrder {
  const rows = countRows(plan, task)
  if (rows <= MAX_ORDERED) return rowOrder.create(rows, rowOrder.seedOf(plan.id))
  throw new AssayError(
    "bad_document",
    `The plan has ${rows} rows of task '${task}', which are too many for early gates.`,
  )
}

/** Rows that can be in random order. */
const MAX_ORDERED = 1_000_000

/** Returns the order of the rows of a lane alone, from 0. */
export function orderOfLane(
  plan: Pick<ShardPlan, "id" | "shards">,
  { task, firstPosition, endPosition, step }: LaneRange,
): RowOrder {
  const order = orderOfTask(plan, task)
  const total = Math.ceil((endPosition - firstPosition) / step)
  return {
    seed: order.seed,
    total,
    positionOf(row) {
      const turn = ((order.positionOf(row) ?? -1) - firstPosition) / step
      return Number.isInteger(turn) && turn >= 0 && turn < total ? turn : undefined
    },
  }
}

function rowsOfLane({ rows }: TaskPlan, range: LaneRange, plan: Pick<ShardPlan, "id" | "shards">): TaskPlan["rows"] {
  const order = orderOfLane(plan, range)
  return earlyGates.readInOrder({ open: rows.open, count: () => Promise.resolve(order.total) }, async () => order)
}

function rowsOfRange(task: TaskPlan, { firstRow, endRow }: RowRange, { id, job }: Pick<ShardPlan, "id" | "job">) {
  const rows = rowsBetween(task, { start: firstRow, end: endRow })
  if (job.config.params?.budget === undefined) return rows
  const order = rowOrder.create(endRow - firstRow, rowOrder.seedOf(`${id} ${task.name} ${firstRow}`))
  return earlyGates.readInOrder(rows, async () => ({ ...order, positionOf: (row) => order.positionOf(row - firstRow) }))
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

function rowsBetween({ rows }: TaskPlan, range: { readonly start: number; readonly end: number }): TaskPlan["rows"] {
  const { openRange } = rows
  return {
    // Rows that depend on each other are in one shard.
    open: (signal) => openRange?.(range, signal) ?? rows.open(signal),
    count: () => Promise.resolve(range.end - range.start),
  }
}

/** Returns a plan whose rows are counted as they were cut, and that reads none of them: they are in the journal. */
export function countedPlan(plan: JobPlan, shards: Pick<ShardPlan, "id" | "shards">): JobPlan {
  const tasks = plan.tasks.map((task) => ({
    ...task,
    rows: { async *open() {}, count: () => Promise.resolve(countRows(shards, task.name)) },
    early: task.early && { ...task.early, getOrder: async () => orderOfTask(shards, task.name) },
  }))
  return { ...plan, tasks }
}
