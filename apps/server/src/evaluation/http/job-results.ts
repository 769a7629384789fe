import type { ArchiveFile, JobToCompare } from "@assay/evaluation"
import type { Registry } from "@assay/registry"
import { AssayError, isAssayError, isFinalJobStatus, type EvaluationJob, type EvaluationResult } from "@assay/schemas"
import { roleIn, type Caller } from "../../auth/grant.ts"
import { secretRightsOf } from "../../auth/secret-rights.ts"
import { loadEvaluation } from "../load-evaluation.ts"
import { openResultsFileset, type ResultsFileset } from "../results-fileset.ts"
import { filesUrlOfPlace, findResultsPlace, type ResultsPlace } from "../results-place.ts"
import { jobLog } from "./job-log.ts"

export interface JobResultsOptions {
  readonly registry: Registry
  readonly caller: Caller
  readonly signal: AbortSignal
}

const ROWS = "results/rows.jsonl"
const LOG = "results/evaluation.log"

/** The files that a job has left behind, with the rights of who asks. */
async function filesOf(job: EvaluationJob, options: JobResultsOptions): Promise<ResultsFileset> {
  const { registry, caller, signal } = options
  return openResultsFileset(registry.as(secretRightsOf(caller)), await placeOf(job, options), signal)
}

function placeOf(
  job: EvaluationJob,
  { registry, caller }: Pick<JobResultsOptions, "registry" | "caller">,
): Promise<ResultsPlace> {
  return findResultsPlace(registry.jobs, job, (workspace) => roleIn(caller, workspace) !== undefined)
}

/**
 * The result of a job; its `files_url` names the fileset as it is called now.
 * @throws `not_found` while there is none
 */
export async function resultOf(
  job: EvaluationJob,
  options: Pick<JobResultsOptions, "registry" | "caller">,
): Promise<EvaluationResult> {
  const { id } = job
  const result = await options.registry.jobs.getResult(id)
  if (result !== undefined) return result.files_url === null ? result : withPresentName(result, job, options)
  const message = `Evaluation job '${id}' has no result yet; its status tells how far it is.`
  throw new AssayError("not_found", message, { context: { job: id } })
}

async function withPresentName(
  result: EvaluationResult,
  job: EvaluationJob,
  options: Pick<JobResultsOptions, "registry" | "caller">,
): Promise<EvaluationResult> {
  if (job.output_files_url === null) return result
  try {
    const place = await placeOf(job, options)
    return place.runnerFolder === "" ? result : { ...result, files_url: filesUrlOfPlace(place, place.runnerFolder) }
  } catch (error) {
    // The fileset was removed, or the caller may not see it.
    if (isAssayError(error, "not_found") || isAssayError(error, "forbidden")) return result
    throw error
  }
}

/**
 * The results archive of a job that has ended. One that ended before there was anything to keep has its record and log.
 * @throws `job_not_final`
 */
export async function archiveOf(job: EvaluationJob, options: JobResultsOptions): Promise<AsyncIterable<Uint8Array>> {
  if (!isFinalJobStatus(job.status)) {
    const message = `Evaluation job '${job.id}' is ${job.status}; its results can be downloaded when it has ended.`
    throw new AssayError("job_not_final", message, { context: { job: job.id, status: job.status } })
  }
  const { streamArchive } = await loadEvaluation()
  const files = (await hasFiles(job, options)) ? (await filesOf(job, options)).files() : recordFiles(job, options)
  return streamArchive(files, options)
}

/** An archive of the `*.log` files of a job; while it runs, of its log so far. */
export async function logArchiveOf(job: EvaluationJob, options: JobResultsOptions): Promise<AsyncIterable<Uint8Array>> {
  const { streamArchive } = await loadEvaluation()
  const isKept = isFinalJobStatus(job.status) && (await hasFiles(job, options))
  return streamArchive(isKept ? logFiles((await filesOf(job, options)).files()) : [logFile(job, options)], options)
}

/** A job with its rows, to be held against others. @throws `not_found` while it has no result */
export async function comparable(job: EvaluationJob, options: JobResultsOptions): Promise<JobToCompare> {
  const { readRows } = await loadEvaluation()
  const { id, config, target, description, pins } = job
  const result = await resultOf(job, options)
  const files = await filesOf(job, options)
  return {
    id,
    name: description || target.name || id,
    result,
    config,
    pins,
    async *rows() {
      for await (const file of files.files()) if (file.path === ROWS) yield* readRows(buffersOf(file.open()))
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
  const { maskKeys } = await loadEvaluation()
  const { target, config, pins } = maskKeys(job)
  const parts = { job: maskKeys(job), target, config, pins }
  for (const [name, part] of Object.entries(parts)) {
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

/** Copies: a piece may be used again once the next one is asked for. */
async function* buffersOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void, undefined> {
  for await (const piece of pieces) yield Buffer.from(piece)
}
