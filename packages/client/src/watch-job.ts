import {
  type EvaluationJob,
  type EvaluationResult,
  isFinalJobStatus,
  type JobGateState,
  type JobStatus,
  readGateStates,
} from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import type { CallOptions } from "./client-options.ts"
import type { EvaluationJobs } from "./resources/evaluation-jobs.ts"

/** How far a job is. */
export interface WatchedProgress {
  /** Rows that are done. */
  readonly processed: number
  /** Null while it is not known. */
  readonly total: number | null
  readonly failed: number
  /** Means so far, by `task.metric.score`. */
  readonly means: Readonly<Record<string, number>>
  readonly tokens: { readonly prompt: number; readonly completion: number }
  /** Gates that can end the job early. */
  readonly gates: readonly JobGateState[]
}

/** Receives the events of a job. */
export interface JobListener {
  readonly onProgress: (progress: WatchedProgress) => void
  readonly onCondition: (condition: { readonly title: string; readonly message: string }) => void
  /** Receives lines of the log that report an error. */
  readonly onError: (message: string) => void
  /** Receives each new status before the final one. */
  readonly onStatus: (status: JobStatus) => void
}

/** Follows a job until it has ended, also over broken connections. @throws `not_found` */
export async function watchJob(
  jobs: Pick<EvaluationJobs, "events">,
  id: string,
  listener: JobListener,
  options: CallOptions = {},
): Promise<void> {
  let status: JobStatus | undefined
  for await (const { event, data } of jobs.events(id, options)) {
    if (event === "progress") {
      const progress = progressOf(data)
      if (progress !== undefined) listener.onProgress(progress)
    }
    if (event === "condition") {
      listener.onCondition({ title: String(data["title"]), message: String(data["message"]) })
    }
    if (event === "log" && data["level"] === "error") listener.onError(String(data["message"]))
    if (event === "status") {
      const next = parseJobStatus(String(data["status"]))
      if (next !== status && !isFinalJobStatus(next)) listener.onStatus(next)
      status = next
    }
  }
}

/** Converts the status word of a server: the vendor's spelling is lower-case. */
function parseJobStatus(word: string): JobStatus {
  return word.toUpperCase() as JobStatus
}

/** Reads the progress in an event of a server. Undefined if it has no row count. */
function progressOf(data: Readonly<Record<string, unknown>>): WatchedProgress | undefined {
  const processed = data["processed"] ?? data["samples_processed"]
  const total = data["total"] ?? data["samples_total"]
  if (typeof processed !== "number") return undefined
  const failed = data["failed"] ?? data["samples_failed"]
  const tokens = numbersOf(data["tokens"])
  return {
    processed,
    total: typeof total === "number" ? total : null,
    failed: typeof failed === "number" ? failed : 0,
    means: numbersOf(data["means"]),
    tokens: { prompt: tokens["prompt"] ?? 0, completion: tokens["completion"] ?? 0 },
    gates: readGateStates(data["gates"]),
  }
}

function numbersOf(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== "object" || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  )
}

/** A job that has ended, with its results. */
export interface EndedJob {
  readonly job: EvaluationJob
  readonly status: JobStatus
  /** Null if the job has no results. */
  readonly result: EvaluationResult | null
  /** Number of rows that are done. */
  readonly rows: number
  /** From the start of the job until its end. */
  readonly milliseconds: number
}

/** Reads a job that has ended, and its results. @throws `not_found` */
export async function readEndedJob(
  jobs: Pick<EvaluationJobs, "get" | "status" | "result">,
  id: string,
  options: CallOptions = {},
): Promise<EndedJob> {
  const [job, { samples_processed: rows }] = await Promise.all([jobs.get(id, options), jobs.status(id, options)])
  const result = await jobs.result(id, options).catch((error: unknown) => {
    if (isAssayError(error, "not_found")) return null
    throw error
  })
  const { created_at, started_at, updated_at, finished_at } = job
  const milliseconds = Date.parse(finished_at ?? updated_at) - Date.parse(started_at ?? created_at)
  return { job, status: parseJobStatus(job.status), result, rows, milliseconds }
}
