import type { JobPlan } from "@assay/evaluation"
import { AssayError } from "@assay/schemas"
import { formatInteger } from "@assay/reports"
import type { TaskRange } from "./shard-plan.ts"

/** The most shards of one run. Slurm's default for an array is 1,001 tasks; Kubernetes allows 100,000 indexes. */
export const MAX_SHARDS = 100_000

/**
 * Cuts the rows of a plan into shards of equal size, which can differ by one row. A shard has rows of several tasks if they are short. There are
 * fewer shards if there are fewer rows.
 * @throws `invalid_request` if there are no rows, or if rows of a task depend on each other
 */
export async function cutRows(
  { tasks }: Pick<JobPlan, "tasks">,
  shards: number,
  signal: AbortSignal,
): Promise<readonly (readonly TaskRange[])[]> {
  const counts: TaskRows[] = []
  for (const { name, rows, repeats } of tasks) {
    if (shards > 1 && rows.openRange === undefined) {
      const message = `The rows of task '${name}' depend on each other, as rankings with judgements in files of their own do: cut it into 1 shard.`
      throw new AssayError("invalid_request", message)
    }
    counts.push({ task: name, rows: await rows.count(signal), repeats })
  }
  const total = counts.reduce((sum, { rows }) => sum + rows, 0)
  if (total === 0) throw new AssayError("invalid_request", "The job has no rows to cut into shards.")
  if (shards > MAX_SHARDS) {
    throw new AssayError("invalid_request", `A run has at most ${formatInteger(MAX_SHARDS)} shards.`)
  }
  return rangesOf(counts, Math.min(shards, total))
}

/** The rows of a task. */
export interface TaskRows {
  readonly task: string
  readonly rows: number
  /** How often each row is asked. */
  readonly repeats: number
}

/** Returns the ranges of each shard. The rows of all tasks are numbered one after the other, and shard `n` ends before row `total × (n + 1) / shards`. */
export function rangesOf(counts: readonly TaskRows[], shards: number): readonly (readonly TaskRange[])[] {
  const total = counts.reduce((sum, { rows }) => sum + rows, 0)
  const edge = (shard: number) => Math.floor((total * shard) / shards)
  return Array.from({ length: shards }, (_, shard) => {
    const [start, end] = [edge(shard), edge(shard + 1)]
    let before = 0
    return counts.flatMap(({ task, rows, repeats }) => {
      const firstRow = Math.max(0, start - before)
      const endRow = Math.min(rows, end - before)
      before += rows
      return firstRow < endRow ? [{ task, firstRow, endRow, repeats }] : []
    })
  })
}
