import type { Registry } from "@assay/registry"
import {
  AssayError,
  type Comparison,
  type EvaluationJob,
  type EvaluationResult,
  invalidRequest,
  isAssayError,
  isFinalJobStatus,
  maskKeys,
  type PairLabelQueue,
} from "@assay/schemas"
import { type jobComparison, type JobToCompare, readRows, streamArchive } from "@assay/results"
import type { JobRights } from "../rights/job-rights.ts"
import { type ArchiveFile, type ResultsFileset, openResultsFileset } from "./results-fileset.ts"
import { type ResultsLocation, filesUrlOfLocation, findResultsLocation } from "./results-location.ts"
import { jobLog } from "./job-events.ts"

export interface JobResultsOptions {
  readonly registry: Registry
  /** The rights of the caller. The caller may see the job. */
  readonly rights: JobRights
  readonly signal: AbortSignal
}

type ReadOptions = Pick<JobResultsOptions, "registry" | "rights">

const ROWS = "results/rows.jsonl"
const LOG = "results/evaluation.log"

async function filesOf(job: EvaluationJob, options: JobResultsOptions): Promise<ResultsFileset> {
  const { registry, rights, signal } = options
  return openResultsFileset(registry.as(rights.edits), await locationOf(job, options), signal)
}

function locationOf(job: EvaluationJob, { registry, rights }: ReadOptions): Promise<ResultsLocation> {
  return findResultsLocation(registry.jobs, job, rights.sees)
}

type CompareThreads = ReturnType<typeof jobComparison.createThreads>
type CompareLabels = NonNullable<Parameters<CompareThreads>[1]["labels"]>

/**
 * Returns the result of a job. Its `files_url` has the present name of the fileset.
 * @throws `not_found` if the job has no result yet
 */
export async function resultOf(job: EvaluationJob, options: ReadOptions): Promise<EvaluationResult> {
  const { id, status } = job
  const result = await options.registry.jobs.getResult(id)
  if (result !== undefined) return result.files_url === null ? result : withPresentName(result, job, options)
  const message = isFinalJobStatus(status)
    ? `Evaluation job '${id}' has no result: it was ${status} before it had one.`
    : `Evaluation job '${id}' has no result yet; its status shows its progress.`
  throw new AssayError("not_found", message, { context: { job: id } })
}

async function withPresentName(
  result: EvaluationResult,
  job: EvaluationJob,
  options: ReadOptions,
): Promise<EvaluationResult> {
  if (job.output_files_url === null) return result
  try {
    const location = await locationOf(job, options)
    return location.runnerFolder === ""
      ? result
      : { ...result, files_url: filesUrlOfLocation(location, location.runnerFolder) }
  } catch (error) {
    // The fileset was removed, or the caller may not see it.
    if (isAssayError(error, "not_found") || isAssayError(error, "forbidden")) return result
    throw error
  }
}

/**
 * Returns the results archive of a job that has ended. If the job ended without results, the archive has its record and its log.
 * @throws `job_not_final`
 */
export async function archiveOf(job: EvaluationJob, options: JobResultsOptions): Promise<AsyncIterable<Uint8Array>> {
  if (!isFinalJobStatus(job.status)) {
    const message = `Evaluation job '${job.id}' is ${job.status}; its results can be downloaded when it has ended.`
    throw new AssayError("job_not_final", message, { context: { job: job.id, status: job.status } })
  }
  const files = (await hasFiles(job, options)) ? (await filesOf(job, options)).files() : recordFiles(job, options)
  return streamArchive(files, options)
}

/** Returns an archive of the `*.log` files of a job. While the job runs, the archive has its log so far. */
export async function logArchiveOf(job: EvaluationJob, options: JobResultsOptions): Promise<AsyncIterable<Uint8Array>> {
  const isKept = isFinalJobStatus(job.status) && (await hasFiles(job, options))
  return streamArchive(isKept ? logFiles((await filesOf(job, options)).files()) : [logFile(job, options)], options)
}

/** Returns a job with its rows, for a comparison. @throws `job_not_final`, and `not_found` if the job ended without a result */
export async function comparableJob(job: EvaluationJob, options: JobResultsOptions): Promise<JobToCompare> {
  const { bytes, ...side } = await storedSide(job, options)
  return { ...side, rows: () => readRows(bytes()) }
}

async function storedSide(
  job: EvaluationJob,
  options: JobResultsOptions,
): Promise<Parameters<CompareThreads>[0][number]> {
  const { id, config, target, description, pins } = job
  if (!isFinalJobStatus(job.status)) {
    const message = `Evaluation job '${id}' is ${job.status}; it can be compared when it has ended.`
    throw new AssayError("job_not_final", message, { context: { job: id, status: job.status } })
  }
  const result = await resultOf(job, options)
  const files = await filesOf(job, options)
  return {
    id,
    name: description || target.name || id,
    result,
    config,
    pins,
    async *bytes() {
      for await (const file of files.files()) if (file.path === ROWS) yield* copiesOf(file.open())
    },
  }
}

async function hasFiles(job: EvaluationJob, options: JobResultsOptions): Promise<boolean> {
  try {
    for await (const _file of (await filesOf(job, options)).files()) return true
  } catch (error) {
    if (!isAssayError(error, "not_found")) throw error
  }
  return false
}

async function* logFiles(files: AsyncIterable<ArchiveFile>): AsyncGenerator<ArchiveFile, void, undefined> {
  for await (const file of files) if (file.path.endsWith(".log")) yield file
}

async function* recordFiles(
  job: EvaluationJob,
  options: JobResultsOptions,
): AsyncGenerator<ArchiveFile, void, undefined> {
  const masked = maskKeys(job)
  const { target, config, pins } = masked
  for (const [name, part] of Object.entries({ job: masked, target, config, pins })) {
    const bytes = Buffer.from(`${JSON.stringify(part, null, 2)}\n`)
    yield { path: `config/${name}.json`, size: bytes.length, mtime: mtimeOf(job), open: () => once(bytes) }
  }
  yield logFile(job, options)
}

function logFile(job: EvaluationJob, { registry, signal }: JobResultsOptions): ArchiveFile {
  const open = () => encoded(jobLog(registry.jobs, job.id, { tail: undefined, isFollowed: false, signal }))
  return { path: LOG, mtime: mtimeOf(job), open }
}

const mtimeOf = ({ updated_at }: EvaluationJob) => Date.parse(updated_at)

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const text of texts) yield Buffer.from(text)
}

/** Copies each piece, since the storage may use its buffer again for the next one. */
async function* copiesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

const MAX_JOBS = 10

export interface CompareStoredOptions extends JobResultsOptions {
  readonly margin: number
  readonly allowChanged: boolean
  readonly compare: CompareThreads
  /** Reads the labels that correct scores of judges. Absent: nothing is corrected. */
  readonly readLabels?: ((baseline: string) => Promise<CompareLabels>) | undefined
  /** Returns a job that the caller may see. @throws `not_found` */
  readonly findJob: (id: string) => Promise<EvaluationJob>
}

export interface QueueStoredOptions extends Omit<CompareStoredOptions, "readLabels" | "allowChanged"> {
  readonly readLabels: (baseline: string) => Promise<CompareLabels>
  readonly queue: Omit<Parameters<CompareThreads["queue"]>[1], "labels" | "margin" | "signal">
}

/**
 * Draws rows of two finished jobs for labels, until their comparison is decided.
 * @throws as `compareStoredJobs`
 */
export async function queueStoredPairs(ids: readonly string[], options: QueueStoredOptions): Promise<PairLabelQueue> {
  const [first, second, ...others] = ids
  if (first === undefined || second === undefined || others.length > 0) {
    const msg = `Name 2 different jobs, separated by a comma; '${ids.join()}' names ${ids.length}`
    throw invalidRequest(["query", "jobs"], msg, "value_error")
  }
  const { margin, signal, queue } = options
  const a = await storedSide(await options.findJob(first), options)
  const b = await storedSide(await options.findJob(second), options)
  const labels = await options.readLabels(first)
  return options.compare.queue([a, b], { ...queue, margin, labels, signal })
}

/**
 * Compares finished jobs with the first of them.
 * @throws `invalid_request` for fewer than 2 or more than 10; `not_found` for a job without a result, or that the caller may not see
 */
export async function compareStoredJobs(ids: readonly string[], options: CompareStoredOptions): Promise<Comparison> {
  if (ids.length < 2 || ids.length > MAX_JOBS) {
    const msg = `Name 2 to ${MAX_JOBS} different jobs, separated by commas; '${ids.join()}' names ${ids.length}`
    throw invalidRequest(["query", "jobs"], msg, "value_error")
  }
  const jobs = []
  for (const id of ids) jobs.push(await storedSide(await options.findJob(id), options))
  const { margin, allowChanged, signal, readLabels } = options
  const labels = await readLabels?.(ids[0] ?? "")
  return options.compare(jobs, { margin, allowChanged, signal, ...(labels !== undefined && { labels }) })
}
