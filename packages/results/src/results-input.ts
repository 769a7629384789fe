import type { Condition, DatasetPin, EvaluationJob, EvaluationResult } from "@assay/schemas"
import type { JobLogLine, JobProgress } from "./progress/job-progress.ts"
import type { RowsReader } from "./rows/read-rows.ts"

/** The fields of a job that its results show. A local run has no record, so only a few of them are required. */
export type ResultsJob = Pick<EvaluationJob, "id" | "namespace" | "target" | "config"> &
  Partial<
    Pick<EvaluationJob, "description" | "project" | "custom_fields" | "created_at" | "started_at" | "finished_at">
  > & {
    /** The id of the job whose outputs were scored. Absent: this job asked for them. */
    readonly rescored_from?: string
  }

/** A line of a job's log with its time. */
export interface TimedLogLine extends JobLogLine {
  /** Milliseconds since 1970, UTC. */
  readonly at: number
}

/** Everything that the results of a job are written from. */
export interface ResultsInput {
  readonly job: ResultsJob
  readonly status: "COMPLETED" | "FAILED" | "CANCELLED"
  /** One sentence about how the job ended. */
  readonly message: string
  /** Null if nothing was scored. */
  readonly result: EvaluationResult | null
  readonly conditions: readonly Condition[]
  readonly pins: readonly DatasetPin[]
  /** Absent if nothing was counted. */
  readonly progress?: JobProgress
  /** Absent for a harness, which has no rows. */
  readonly journal?: RowsReader
  /** It can be read more than once. */
  readonly log: Iterable<TimedLogLine> | AsyncIterable<TimedLogLine>
  /** Versions and platform. It never contains environment variables. */
  readonly environment: Readonly<Record<string, unknown>>
  /** The recording that the user named for the answers of the models, as it is at the end. Absent: none. */
  readonly recording?: { readonly name: string; readonly digest: string; readonly answers: number } | undefined
}

/** Where the files of a job's results are written, such as a fileset or a folder. */
export interface ResultsSink {
  /** Writes a whole file or nothing, and replaces a file of the same path. `open` is called again if writing has to begin again. */
  write(path: string, open: () => AsyncIterable<Uint8Array>): Promise<void>
}

/** Writes a text as a file in UTF-8. */
export function writeText(sink: ResultsSink, path: string, text: string): Promise<void> {
  return sink.write(path, () => bytesOf(text))
}

async function* bytesOf(text: string): AsyncGenerator<Uint8Array, void, undefined> {
  if (text !== "") yield Buffer.from(text)
}
