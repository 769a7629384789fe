import type { JobStatus } from "@assay/schemas"

/** Milliseconds since 1970, UTC. */
type Moment = number

/** JSON columns are text, so that objects keep the order of their keys and any text of a user can be stored. */
export interface EvaluationJobTable {
  id: string
  /** The workspace. */
  namespace: string
  description: string
  project: string
  target: string
  /** `<workspace>/<name>`, or empty for an inline target without a name. */
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
  /** The number of the attempt, from 1. */
  attempt: number
  scope: string
  /** Identifies the runner. Empty: no runner has the job. */
  lease: string
  /** Until then the runner counts as alive. */
  leased_until: Moment
  /** How many runners were lost in a row without a new result row. */
  takeovers: number
  /** How many runners have taken the job. Each writes its results into its own folder. */
  claims: number
  /** The folder of the current results, below the location that `output_files_url` names. Empty until there are results. */
  results_folder: string
  /** The id of the fileset that `output_files_url` named at launch. Empty if it named none. */
  results_fileset: string
  /** 1 while the runner releases the job because its server stops. If the server is killed then, the runner does not count as lost. */
  is_stopping: number
  /** Jobs of a workspace with a higher one come first. */
  priority: number
  /** The number of its newest event. */
  last_event: number
  /** The id of the job whose outputs it scores. Null: it asks its target. */
  rescored_from: string | null
  created_at: Moment
  updated_at: Moment
  started_at: Moment | null
  finished_at: Moment | null
}

/** Events of a job, numbered from 1. */
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

/** The journal of a job. Each record holds several lines of JSON. The order is that of `seq`. */
export interface EvaluationRowTable {
  job_id: string
  seq: number
  lines: string
}

/** A job that is cut into shards. */
export interface ShardedJobTable {
  job_id: string
  /** The attempt that the shards are open for. 0: none. */
  attempt: number
  /** 1 while workers may take shards. */
  is_open: number
  /** How often they were opened. */
  opening: number
  /** Requests that all workers together may have in flight. */
  parallelism: number
  /** Number of workers that can have a request in flight. Workers are added by it. */
  max_workers: number
  /** The number of its newest segment. */
  last_segment: number
  /** Why the job must end before its shards are done, as JSON. */
  stop: string | null
}

/** A range of rows of one task. Numbered over all tasks, from 0. */
export interface ShardTable {
  job_id: string
  shard: number
  task: string
  first_row: number
  /** The row after the last one. */
  end_row: number
  is_done: number
  /** The worker that took it last, whose rows alone are added. Empty: none. */
  worker: string
  /** Counted by servers of earlier versions. */
  losses: number
  processed: number
  failed: number
  prompt_tokens: number
  completion_tokens: number
}

/** A worker that asks rows of a job. */
export interface ShardWorkerTable {
  job_id: string
  worker: string
  leased_until: Moment
  /** Requests that it may have in flight. */
  share: number
  /** Its findings so far, as JSON. */
  news: string
}

/** Rows of a shard that is not done. */
export interface ShardRowTable {
  job_id: string
  shard: number
  seq: number
  lines: string
}

/** A file on the default storage with rows of a shard. Numbered by job, from 1, in the order of their commits. */
export interface SegmentTable {
  job_id: string
  seq: number
  shard: number
  path: string
  /** The sizes of its frames, as JSON. */
  frames: string
  /** The sizes of the frame with the facts of its rows, as JSON. Null: there are none. */
  facts: string | null
}

export type JobEventKind = "progress" | "log" | "condition" | "status"
