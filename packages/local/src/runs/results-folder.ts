import { existsSync } from "node:fs"
import { fieldsOf, isObject } from "@assay/json"
import { type FileHandle } from "node:fs/promises"
import { dirname, join, relative } from "node:path"
import {
  type Condition,
  type DatasetPin,
  type EvaluationConfigBody,
  type EvaluationResult,
  type EvaluationTargetBody,
  type JobStatus,
  printable,
} from "@assay/schemas"
import { AssayError, messageOf } from "@assay/schemas/errors"
import { localFailure, openRegularFile, writeWholeFile, readRegularFile, systemCode } from "@assay/storage"
import { type JobToCompare, readRows, type writeResults } from "@assay/results"
import { keptDecisions } from "../gates/kept-decisions.ts"
import { readRunRecord } from "./run-record.ts"

/** A job as `config/job.json` of its results contains it. */
export interface StoredJob {
  readonly id: string
  readonly namespace: string
  readonly target: EvaluationTargetBody
  readonly config: EvaluationConfigBody
  readonly status: JobStatus
  readonly conditions: readonly Condition[]
  readonly pins: readonly DatasetPin[]
  /** The gates that the results were compared with. Absent: an older version wrote the results. */
  readonly gates?: unknown
  /** The units of each task: its rows times their repeats. Absent: an older version wrote the results. */
  readonly units?: Readonly<Record<string, number | null>> | undefined
}

/** Results on this machine: the folder of a run, or an unpacked archive. */
export interface ResultsFolder {
  readonly job: StoredJob
  readonly result: EvaluationResult
  /** Streams `results/rows.jsonl`. Does not repair a truncated last line, as opening a journal would do. */
  readonly rows: (signal?: AbortSignal) => AsyncIterable<Buffer>
}

/** Creates a sink that writes results below a folder. A file appears whole, and readers of the file that it replaces keep that one. */
export function createFolderSink(folder: string): Parameters<typeof writeResults>[1] {
  return {
    write: async (path, open) => void (await writeWholeFile(join(folder, path), open())),
  }
}

/** The entries of a folder that may be replaced. */
export interface ReplaceRules {
  /** Replace the results of another job. */
  readonly overwrite: boolean
  /** Whether the existing results belong to the same job. Default: they do not. */
  readonly isSame?: (job: Pick<StoredJob, "id">) => boolean
}

/**
 * Checks that results may be written to a folder. They replace neither a folder of a project that has the same name, nor the results of another
 * job unless that is allowed.
 * @throws `path_conflict` if `config` or `results` exist and no evaluation wrote them; `output_exists` for the results of another job
 */
export async function checkResultsFolder(folder: string, { overwrite, isSame }: ReplaceRules): Promise<void> {
  const taken = ["config", "results"].find((name) => existsSync(join(folder, name)))
  if (taken === undefined) return
  const isOurs = existsSync(join(folder, "config", "pins.json")) || (await readRunRecord(folder)) !== undefined
  if (!isOurs) {
    const message = `'${printable(folder)}' has a folder '${taken}' that no evaluation wrote: choose another folder for the results.`
    throw new AssayError("path_conflict", message)
  }
  if (overwrite || !existsSync(join(folder, "config", "job.json"))) return
  const job = await readStoredJob(folder, folder)
  if (isSame?.(job) !== true) throw otherResults(folder, job.id)
}

/** Returns the refusal to replace the results of a job. */
export function otherResults(folder: string, id: string): AssayError {
  const message = `'${printable(folder)}' has the results of another job, ${printable(id)}.`
  return new AssayError("output_exists", message)
}

/** Reads the results in a folder. `name` is the folder as the user wrote it. @throws `bad_document` if there are none */
export async function readResultsFolder(folder: string, name: string): Promise<ResultsFolder> {
  const job = await readStoredJob(folder, name)
  const file = join(folder, "results", "results.json")
  const result = await readJson(file, name)
  if (!isResult(result)) throw notOurs(file)
  return { job, result, rows: (signal) => piecesOf(join(folder, "results", "rows.jsonl"), signal) }
}

/** Reads the versions and the platform of the program that wrote the results in a folder. @throws `bad_document` if there are none */
async function readEnvironment(folder: string, name: string): Promise<Readonly<Record<string, unknown>>> {
  return fieldsOf(await readJson(join(folder, "config", "environment.json"), name))
}

/** Reads the job of the results in a folder. @throws `bad_document` if there are none */
export async function readStoredJob(folder: string, name: string): Promise<StoredJob> {
  const file = join(folder, "config", "job.json")
  const job = await readJson(file, name)
  if (!isStoredJob(job)) throw notOurs(file)
  return job
}

/** Checks what every reader of results relies on. */
function isResult(value: unknown): value is EvaluationResult {
  if (!isObject(value)) return false
  return [value["tasks"], value["groups"]].every((part) =>
    isObjectOf(part, (task) =>
      isObjectOf(fieldsOf(task)["metrics"], (metric) =>
        isObjectOf(fieldsOf(metric)["scores"], (score) => isObject(score) && "value" in score),
      ),
    ),
  )
}

function isStoredJob(value: unknown): value is StoredJob {
  if (!isObject(value)) return false
  const { id, config, target } = value
  return typeof id === "string" && isObject(config) && typeof config["type"] === "string" && isObject(target)
}

function isObjectOf(value: unknown, isPart: (part: unknown) => boolean): boolean {
  return isObject(value) && Object.values(value).every(isPart)
}

function notOurs(file: string): AssayError {
  const message = `'${printable(file)}' is not what an evaluation writes: name the folder of a run, or download the results again.`
  return new AssayError("bad_document", message)
}

/** Reads a job from the results in a folder, for a comparison. @throws `bad_document` if there are none */
export async function readJobToCompare(folder: string, name: string): Promise<JobToCompare> {
  const { job, result, rows } = await readResultsFolder(folder, name)
  return toCompare(job, result, { name, rows })
}

/** A job whose rows can be read until it is closed, also if other results replace its own meanwhile. */
export interface HeldJob extends AsyncDisposable {
  readonly job: JobToCompare
}

/** Opens a job from the results in a folder for a comparison that comes later. @throws `bad_document` if there are none */
async function holdJobToCompare(folder: string, name: string): Promise<HeldJob> {
  const { job, result } = await readResultsFolder(folder, name)
  const handle = await openRegularFile(join(folder, "results", "rows.jsonl"))
  const rows = (signal?: AbortSignal) => piecesOfHandle(handle, signal)
  return { job: toCompare(job, result, { name, rows }), [Symbol.asyncDispose]: () => handle.close() }
}

function toCompare(
  { id, config, pins }: StoredJob,
  result: EvaluationResult,
  { name, rows }: Pick<ResultsFolder, "rows"> & { readonly name: string },
): JobToCompare {
  return { id, name, result, config, pins, rows: (signal) => readRows(rows(signal)) }
}

async function readJson(file: string, name: string): Promise<unknown> {
  let text: string
  try {
    text = await readRegularFile(file)
  } catch (error) {
    if (systemCode(error) === "ENOENT") throw noResults(file, name, error)
    const cause = localFailure(error, "read", file)
    const message = `'${printable(name)}' does not contain results: ${messageOf(cause)}`
    throw new AssayError("bad_document", message, { cause })
  }
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AssayError("bad_document", `'${printable(file)}' is not JSON: download the results again.`, { cause })
  }
}

function noResults(file: string, name: string, cause: unknown): AssayError {
  const folder = dirname(dirname(file))
  const shown = `'${printable(name)}' does not contain results:`
  if (!existsSync(folder))
    return new AssayError("not_found", `${shown} there is no such folder.`, { cause, context: { file: folder } })
  const message = `${shown} there is no file '${relative(folder, file)}' in it.`
  const remedy = "Name the folder of a run, or one that 'assay eval download --out' wrote."
  return new AssayError("bad_document", message, { cause, context: { remedy } })
}

async function* piecesOf(file: string, signal: AbortSignal | undefined): AsyncGenerator<Buffer, void, undefined> {
  await using handle = await openRegularFile(file)
  yield* piecesOfHandle(handle, signal)
}

async function* piecesOfHandle(
  handle: FileHandle,
  signal: AbortSignal | undefined,
): AsyncGenerator<Buffer, void, undefined> {
  const options = { autoClose: false, start: 0, ...(signal === undefined ? {} : { signal }) }
  for await (const piece of handle.createReadStream(options)) yield piece as Buffer
}

/** The results in a folder of this machine. */
export const resultsFolder = Object.freeze({
  check: checkResultsFolder,
  read: readResultsFolder,
  readJob: readStoredJob,
  readEnvironment,
  readJobToCompare,
  hold: holdJobToCompare,
  decisions: keptDecisions,
})
