import { isDeepStrictEqual } from "node:util"
import { crc32 } from "node:zlib"
import { formatInteger } from "@assay/reports"
import {
  type DatasetPin,
  type EvaluationConfigBody,
  type EvaluationResult,
  type EvaluationRow,
  invalidRequest,
} from "@assay/schemas"
import { runParams } from "@assay/scoring"
import { digestNumber, outputDigest } from "../rows/output-digest.ts"
import { listScores } from "../scores/list-scores.ts"
import { createRowGroups, createRowValues, type RowGroups, type RowValues } from "@assay/metrics"

/** The parts of a job that a comparison needs. */
export interface JobToCompare {
  readonly id: string
  /** The name that messages use. */
  readonly name: string
  readonly result: EvaluationResult
  /** Says which scores are expenses. */
  readonly config?: Pick<EvaluationConfigBody, "params" | "tasks" | "type">
  readonly pins?: readonly DatasetPin[]
  /** Reads every row in the order of writing. Each call starts from the beginning. */
  readonly rows: (signal?: AbortSignal) => AsyncIterable<readonly EvaluationRow[]>
}

type ComparedJob = Pick<JobToCompare, "id" | "name" | "result">

/** @throws `invalid_request` for results that are compared with themselves. A later attempt of the same job has other results. */
export function requireDifferentJobs(first: ComparedJob, job: ComparedJob): void {
  if (job.id !== first.id || !isDeepStrictEqual(job.result, first.result)) return
  const names = job.name === first.name ? `'${job.name}'` : `'${first.name}' and '${job.name}'`
  const message = `${names} ${names.includes(" and ") ? "are" : "is"} the same job (${job.id}), so there is nothing to compare: name another job.`
  throw invalidRequest(["jobs"], message, "value_error")
}

/** Returns a warning for each dataset that two jobs read differently. */
export function datasetWarnings(baseline: JobToCompare, job: JobToCompare): readonly string[] {
  const others = new Map((job.pins ?? []).map((pin) => [pin.files_url, pin]))
  return (baseline.pins ?? []).flatMap((pin) => {
    const other = others.get(pin.files_url)
    if (other === undefined) {
      return [`'${baseline.name}' read ${pin.files_url}, '${job.name}' did not: rows are paired by their number.`]
    }
    const versions = new Map(other.files.map((file) => [file.path, versionOf(file)]))
    const changed = pin.files.filter((file) => versions.get(file.path) !== versionOf(file)).map(({ path }) => path)
    if (changed.length === 0 && pin.files.length === other.files.length) return []
    const what = changed.length === 0 ? "other files" : `other bytes in ${changed.slice(0, 3).join(", ")}`
    return [`${pin.files_url} had ${what} when '${job.name}' read it than for '${baseline.name}'.`]
  })
}

/** Returns a warning for each job whose gates have ended it before all of its rows were asked. */
export function biasedByGates(jobs: readonly JobToCompare[]): readonly string[] {
  const isEnded = ({ result }: JobToCompare) =>
    listScores(result).some(({ found }) => found.stats?.interval?.method === "betting" && found.stats.skipped > 0)
  return jobs
    .filter(isEnded)
    .map(
      ({ name }) =>
        `'${name}' was ended by its gates as soon as its scores had decided them, so this comparison is wrong more often than it says; compare it by a gate with "against".`,
    )
}

/** Returns the warning about answers of a score that are in no pair. */
export function comparedWithout(name: string, leftOut: number, paired: number): string {
  const [count, all] = [leftOut, leftOut + paired].map(formatInteger) as [string, string]
  return `'${name}' is compared without ${count} of ${all} answers: the rows differ, or only one of the jobs has the score.`
}

function versionOf({ sha256, etag, size }: { sha256: string | null; etag: string | null; size: number }): string {
  return sha256 ?? etag ?? String(size)
}

/** The scores of a task, by row. */
export interface TaskValues {
  /** By metric and score: `metric\u0000score`. */
  readonly scores: ReadonlyMap<string, RowValues>
  /** A checksum of what each row asks. Rows with different checksums in two jobs ask different things. */
  readonly items: RowValues
  /** The number of each row's group; null if rows have no groups. */
  readonly groups: RowValues | null
  /** The number of the digest of item and output, by row and repeat; null if it was not asked for. */
  readonly digests: RowValues | null
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
  readonly digests: RowValues | null
}

/** Returns the key of a score within its task. */
export function scoreKey(metric: string, score: string): string {
  return `${metric}\u0000${score}`
}

export interface ReadValuesOptions {
  readonly signal?: AbortSignal | undefined
  /** Also computes the digests of items and outputs, to which labels belong: 8 bytes for each row and repeat. Default false. */
  readonly withDigests?: boolean
}

/** Reads the rows of a job once. The last attempt of a row counts. Memory: 8 bytes per score and 8 per row. */
export async function readJobValues(
  job: JobToCompare,
  { signal, withDigests = false }: ReadValuesOptions = {},
): Promise<JobValues> {
  const tasks = new Map<string, GrowingTask>()
  let attempts = 1
  for await (const batch of job.rows(signal)) {
    signal?.throwIfAborted()
    for (const row of batch) {
      attempts = Math.max(attempts, row.attempt)
      keep(taskOf(tasks, row.task, { job, withDigests }), row)
    }
  }
  return { tasks, attempts }
}

function taskOf(
  tasks: Map<string, GrowingTask>,
  name: string,
  { job: { config }, withDigests }: { readonly job: JobToCompare; readonly withDigests: boolean },
): GrowingTask {
  const known = tasks.get(name)
  if (known !== undefined) return known
  const { clusterBy } = runParams(config?.params, config?.tasks?.[name]?.params)
  const groupOf = clusterBy === undefined ? undefined : createRowGroups(clusterBy)
  const groups = groupOf === undefined ? null : createRowValues()
  const digests = withDigests ? createRowValues() : null
  const task = { scores: new Map<string, RowValues>(), items: createRowValues(), groups, groupOf, digests }
  tasks.set(name, task)
  return task
}

function keep({ scores, items, groups, groupOf, digests }: GrowingTask, row: EvaluationRow): void {
  if (row.repeat === 0) items.set(row.row_index, 0, checksumOf(row.item))
  if (groupOf !== undefined) groups?.set(row.row_index, 0, groupOf.of(row))
  digests?.set(row.row_index, row.repeat, digestNumber(outputDigest(row)))
  // A later attempt replaces all scores of an earlier one, including those that it does not have.
  for (const values of scores.values()) values.set(row.row_index, row.repeat, Number.NaN)
  if (row.error !== null) return
  for (const [metric, found] of Object.entries(row.scores)) {
    for (const [score, value] of Object.entries(found)) {
      const key = scoreKey(metric, score)
      const values = scores.get(key) ?? createRowValues()
      scores.set(key, values)
      // A file that was changed can have anything here. A value that is not a number is not a score, as when rows are counted.
      values.set(row.row_index, row.repeat, typeof value === "number" ? value : Number.NaN)
    }
  }
}

/** Returns whether a row asks the same as the row with its number in a task of other results. True if they have no such row. */
export function isSameItem(
  { items }: TaskValues,
  { row_index: row, item }: Pick<EvaluationRow, "row_index" | "item">,
): boolean {
  const known = items.get(row, 0)
  return Number.isNaN(known) || known === checksumOf(item)
}

/** Returns the checksum of an item without the answer that it may contain. */
function checksumOf(item: EvaluationRow["item"]): number {
  if (!("response" in item) && !("output" in item)) return crc32(JSON.stringify(item))
  const { response: _response, output: _output, ...asked } = item
  return crc32(JSON.stringify(asked))
}
