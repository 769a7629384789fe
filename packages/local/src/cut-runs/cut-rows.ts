import type { JobPlan } from "@assay/evaluation"
import { AssayError } from "@assay/schemas"
import { formatInteger } from "@assay/reports"
import type { RowRange, TaskRange } from "@assay/executors"

/** The most shards of one run. Slurm's default for an array is 1,001 tasks; Kubernetes allows 100,000 indexes. */
const MAX_SHARDS = 100_000

export interface CutSizes {
  /** Number of shards. There are fewer if there are fewer rows. */
  readonly shards: number
  /** Maximum number of shards that run at the same time. Default: all of them. */
  readonly atOnce?: number | undefined
}

/** The rows of each shard, and how many shards run at the same time. */
export interface CutShards {
  readonly shards: readonly (readonly TaskRange[])[]
  readonly atOnce: number
}

/**
 * Cuts the rows of a plan into shards of equal size, which can differ by one row. A shard has rows of several tasks if they are short. There are
 * fewer shards if there are fewer rows.
 * @throws `invalid_request` if there are no rows, if rows of a task depend on each other, or if there are too many for gates that can end it
 */
export async function cutRows(
  { tasks }: Pick<JobPlan, "tasks">,
  { shards, atOnce = shards }: CutSizes,
  signal: AbortSignal,
): Promise<CutShards> {
  const counts: TaskRows[] = []
  for (const { name, rows, repeats, early } of tasks) {
    if (shards > 1 && rows.openRange === undefined && early === undefined) {
      const message = `The rows of task '${name}' depend on each other, as rankings with judgements in files of their own do: cut it into 1 shard.`
      throw new AssayError("invalid_request", message)
    }
    const count = early === undefined ? await rows.count(signal) : (await early.getOrder(signal)).total
    counts.push({ task: name, rows: count, repeats, isEarly: early !== undefined })
  }
  const total = counts.reduce((sum, { rows }) => sum + rows, 0)
  if (total === 0) throw new AssayError("invalid_request", "The job has no rows to cut into shards.")
  if (shards > MAX_SHARDS) {
    throw new AssayError("invalid_request", `A run has at most ${formatInteger(MAX_SHARDS)} shards.`)
  }
  const number = Math.min(shards, total)
  const parallelism = Math.max(1, ...tasks.map((task) => task.parallelism))
  const most = Math.max(1, Math.min(atOnce, number, parallelism))
  const isEarly = counts.some((one) => one.isEarly)
  return { shards: isEarly ? lanesOf(counts, number, most) : rangesOf(counts, number), atOnce: most }
}

/** The rows of a task. */
export interface TaskRows {
  readonly task: string
  readonly rows: number
  /** How often each row is asked. */
  readonly repeats: number
  /** Whether its gates can end it. Default false. */
  readonly isEarly?: boolean
}

/** Returns the ranges of each shard. The rows of all tasks are numbered one after the other, and shard `n` ends before row `total × (n + 1) / shards`. */
export function rangesOf(counts: readonly TaskRows[], shards: number): readonly (readonly RowRange[])[] {
  const total = counts.reduce((sum, { rows }) => sum + rows, 0)
  const edge = (shard: number) => Math.floor((total * shard) / shards)
  return Array.from({ length: shards }, (_, shard) =>
    partsOf(counts, edge(shard), edge(shard + 1)).map(({ task, repeats, first, end }) => ({
      task,
      firstRow: first,
      endRow: end,
      repeats,
    })),
  )
}

/**
 * Returns the ranges of each shard of a job with gates that can end a task. The shards that run at the same time are a group. Its rows are those that its shards
 * would have if they followed each other. Rows of a task with such gates are numbered by their positions in the random order, and dealt to the shards of
 * the group in turns. So the group answers them from the first one on.
 */
export function lanesOf(
  counts: readonly TaskRows[],
  shards: number,
  atOnce: number,
): readonly (readonly TaskRange[])[] {
  const total = counts.reduce((sum, { rows }) => sum + rows, 0)
  const edge = (shard: number) => Math.floor((total * shard) / shards)
  return Array.from({ length: shards }, (_, shard) => {
    const lane = shard % atOnce
    const group = shard - lane
    const lanes = Math.min(atOnce, shards - group)
    return partsOf(counts, edge(group), edge(group + lanes)).flatMap((part): TaskRange[] => {
      const { task, repeats, first, end, offset } = part
      if (part.isEarly === true) {
        // The rows before it are dealt first.
        const firstPosition = first + ((lane + lanes - (offset % lanes)) % lanes)
        return firstPosition < end ? [{ task, firstPosition, endPosition: end, step: lanes, repeats }] : []
      }
      const rowOf = (number: number) => first + Math.floor(((end - first) * number) / lanes)
      const [firstRow, endRow] = [rowOf(lane), rowOf(lane + 1)]
      return firstRow < endRow ? [{ task, firstRow, endRow, repeats }] : []
    })
  })
}

interface TaskPart extends TaskRows {
  readonly first: number
  readonly end: number
  /** How many rows of other tasks are before it. */
  readonly offset: number
}

/** Returns the parts of tasks between two numbers of rows, if the rows of all tasks are numbered one after the other. */
function partsOf(counts: readonly TaskRows[], start: number, end: number): readonly TaskPart[] {
  let before = 0
  return counts.flatMap((task) => {
    const first = Math.max(0, start - before)
    const last = Math.min(task.rows, end - before)
    const offset = Math.max(0, before - start)
    before += task.rows
    return first < last ? [{ ...task, first, end: last, offset }] : []
  })
}
