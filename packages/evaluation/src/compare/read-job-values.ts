import { crc32 } from "node:zlib"
import type { EvaluationRow } from "@assay/schemas"
import { createRowGroups, type RowGroups } from "../engine/tally/row-groups.ts"
import { runParams } from "../models/run-params.ts"
import type { JobToCompare } from "./job-to-compare.ts"
import { createRowValues, type RowValues } from "../results/rows/row-values.ts"

/** The scores of a task, by row. */
export interface TaskValues {
  /** By metric and score: `metric\u0000score`. */
  readonly scores: ReadonlyMap<string, RowValues>
  /** A checksum of what each row asks. Rows with different checksums in two jobs ask different things. */
  readonly items: RowValues
  /** The number of each row's group; null if rows have no groups. */
  readonly groups: RowValues | null
}

export interface JobValues {
  readonly tasks: ReadonlyMap<string, TaskValues>
  /** The highest attempt of any row. If it is 1, each row occurs once. */
  readonly attempts: number
}

interface GrowingTask {
  readonly scores: Map<string, RowValues>
  readonly items: RowValues
  readonly groups: RowValues | null
  readonly groupOf: RowGroups | undefined
}

/** Returns the key of a score within its task. */
export function scoreKey(metric: string, score: string): string {
  return `${metric}\u0000${score}`
}

/** Reads the rows of a job once. The last attempt of a row counts. Memory: 8 bytes per score and 8 per row. */
export async function readJobValues(job: JobToCompare, signal?: AbortSignal): Promise<JobValues> {
  const tasks = new Map<string, GrowingTask>()
  let attempts = 1
  for await (const batch of job.rows(signal)) {
    signal?.throwIfAborted()
    for (const row of batch) {
      attempts = Math.max(attempts, row.attempt)
      keep(taskOf(tasks, row.task, job), row)
    }
  }
  return { tasks, attempts }
}

function taskOf(tasks: Map<string, GrowingTask>, name: string, { config }: JobToCompare): GrowingTask {
  const known = tasks.get(name)
  if (known !== undefined) return known
  const { clusterBy } = runParams(config?.params, config?.tasks?.[name]?.params)
  const groupOf = clusterBy === undefined ? undefined : createRowGroups(clusterBy)
  const groups = groupOf === undefined ? null : createRowValues()
  const task = { scores: new Map<string, RowValues>(), items: createRowValues(), groups, groupOf }
  tasks.set(name, task)
  return task
}

function keep({ scores, items, groups, groupOf }: GrowingTask, row: EvaluationRow): void {
  if (row.repeat === 0) items.set(row.row_index, 0, checksumOf(row.item))
  if (groupOf !== undefined) groups?.set(row.row_index, 0, groupOf(row))
  // A later attempt replaces all scores of an earlier one, including those that it does not have.
  for (const values of scores.values()) values.set(row.row_index, row.repeat, Number.NaN)
  if (row.error !== null) return
  for (const [metric, found] of Object.entries(row.scores)) {
    for (const [score, value] of Object.entries(found)) {
      const key = scoreKey(metric, score)
      const values = scores.get(key) ?? createRowValues()
      scores.set(key, values)
      values.set(row.row_index, row.repeat, Number(value))
    }
  }
}

/** Returns the checksum of an item without the answer that it may contain. */
function checksumOf(item: EvaluationRow["item"]): number {
  if (!("response" in item) && !("output" in item)) return crc32(JSON.stringify(item))
  const { response: _response, output: _output, ...asked } = item
  return crc32(JSON.stringify(asked))
}
