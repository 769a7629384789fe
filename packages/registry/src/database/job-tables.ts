import type { JobStatus } from "@assay/schemas"
import type { JobEventKind } from "../jobs/job-events.ts"

/** Milliseconds since 1970, UTC. */
type Moment = number

/** Columns that hold JSON are text: the keys of an object keep their order, and any text of a user can be kept. */
export interface EvaluationJobTable {
  id: string
  /** The workspace. */
  namespace: string
  description: string
  project: string
  target: string
  /** `<namespace>/<name>`, or empty for one that was written inline without a name. */
  target_name: string
  config: string
  config_name: string
  output_files_url: string | null
  custom_fields: string
  ownership: string
  /** The workspaces whose secrets the job may use besides its own: `"all"` or a list. */
  grants: string
  status: JobStatus
  status_details: string
  conditions: string
  pins: string
  /** The id of its result. */
  result: string | null
  /** Rounds, from 1. */
  attempt: number
  scope: string
  /** Names who runs it; empty where nobody does. */
  lease: string
  /** Until then whoever has the lease is taken to be alive. */
  leased_until: Moment
  /** How often a runner was lost in a row, without a new row in between. */
  takeovers: number
  /** How often a runner took the job up. Each writes its results into a folder of its own. */
  claims: number
  /** The folder of the results that count, where `output_files_url` names the place; empty before there are any. */
  results_folder: string
  /** The id of the fileset that `output_files_url` named at launch; empty where it named none. */
  results_fileset: string
  /** 1 while the runner puts the job down because its server stops: if it is killed then, that is no loss. */
  is_stopping: number
  /** The number of its newest event. */
  last_event: number
  created_at: Moment
  updated_at: Moment
  started_at: Moment | null
  finished_at: Moment | null
}

/** What happened in a job, numbered from 1. */
export interface EvaluationEventTable {
  job_id: string
  seq: number
  kind: JobEventKind
  data: string
  created_at: Moment
}

export interface EvaluationResultTable {
  job_id: string
  result: string
}

/** Rows of a job's journal: several lines of JSON in each record, in the order of `seq`. */
export interface EvaluationRowTable {
  job_id: string
  seq: number
  lines: string
}
