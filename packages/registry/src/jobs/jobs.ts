import type { Condition, EvaluationJob, EvaluationResult, JobScope, JobStatus, Pagination } from "@assay/schemas"
import type { PageQuery, VisibleWorkspaces } from "../registry.ts"
import type { JobEvent, NewJobEvent } from "./job-events.ts"
import type { JobRun } from "./job-run.ts"

export type JobSort = "created_at" | "-created_at" | "updated_at" | "-updated_at"

/** Fields in which a part of the text is looked for. `target` and `config` are their names. */
export type JobSearchField = "id" | "namespace" | "description" | "project" | "target" | "config" | "status"

/** The workspaces whose secrets a job may use by reference besides those of its own. */
export type JobGrants = "all" | readonly string[]

export interface CreateJob
  extends
    Pick<EvaluationJob, "namespace" | "target" | "config">,
    Partial<Pick<EvaluationJob, "description" | "output_files_url" | "project" | "custom_fields" | "ownership">> {
  /** Default: a new one. For who keeps something under the id before the job is there. */
  readonly id?: string
  /** Default: none. */
  readonly grants?: JobGrants
  /** The id of the fileset that `output_files_url` names: results go there, whatever its name is by then. */
  readonly resultsFileset?: string | undefined
  /** What is to be told of its launch. */
  readonly events?: readonly NewJobEvent[]
}

export interface JobFilter {
  readonly namespace?: string
  readonly status?: readonly JobStatus[]
  /** `<namespace>/<name>`, or a name in the job's own namespace. */
  readonly target?: string
  readonly config?: string
  /** Milliseconds since 1970; both ends are included. */
  readonly created_at?: { readonly from?: number; readonly to?: number }
}

export interface JobQuery extends PageQuery {
  readonly sort: JobSort
  readonly filter?: JobFilter
  /** All of them must be found; ASCII letters in any case. */
  readonly search?: Readonly<Partial<Record<JobSearchField, string>>>
}

/** Where the results of a job are, besides what its record says. */
export interface JobResultsPlace {
  /** The folder of the runner whose results count, where `output_files_url` names the place; empty before there are any. */
  readonly folder: string
  /** The fileset that `output_files_url` named at launch, under its present name; undefined where it named none. */
  readonly fileset: ResultsFilesetName | "removed" | undefined
}

export interface ResultsFilesetName {
  readonly id: string
  readonly workspace: string
  readonly name: string
}

/** A status to go to, and what is kept with it. */
export interface JobChange {
  readonly to: JobStatus
  readonly message: string
  readonly conditions?: readonly Condition[]
}

/**
 * Evaluation jobs. The record alone says how a job stands; who runs it holds a lease on it. Every change of a status is
 * one of the table of transitions, and becomes an event.
 */
export interface Jobs {
  /** Puts a job on record that waits for a runner. @throws `invalid_request` where there is no such workspace */
  create(body: CreateJob): Promise<EvaluationJob>
  list(query: JobQuery, visible: VisibleWorkspaces): Promise<{ data: EvaluationJob[]; pagination: Pagination }>
  /** @throws `not_found` */
  get(id: string): Promise<EvaluationJob>
  /** With its events, its result and its journal. @throws `not_found`, `job_not_final` */
  remove(id: string): Promise<EvaluationJob>
  /**
   * From one status to another one; for what no runner does.
   * @throws `not_found`, `illegal_transition`, also where the job is not in `from` any more
   */
  transition(id: string, from: JobStatus, change: JobChange): Promise<EvaluationJob>
  /**
   * Asks for an end: at once where nobody has begun, else CANCELLING, and whoever runs it or takes it up ends it.
   * @throws `not_found`, `illegal_transition` for one that has completed or failed
   */
  cancel(id: string): Promise<EvaluationJob>
  /**
   * Begins another round of a final job.
   * @throws `not_found`, `job_not_final`, `illegal_transition`
   */
  restart(id: string, scope: JobScope): Promise<EvaluationJob>
  /** @throws `not_found` about the job; undefined while it has no result */
  getResult(id: string): Promise<EvaluationResult | undefined>
  /** @throws `not_found` about the job */
  getResultsPlace(id: string): Promise<JobResultsPlace>
  /** Events after a number, oldest first. Only the newest of those that tell progress is kept. */
  listEvents(id: string, after: number, limit: number): Promise<JobEvent[]>
  /** Jobs that wait for a runner: new, put down, or lost. Oldest first. */
  listRunnable(limit: number): Promise<string[]>
  /** Makes those UNAVAILABLE whose runner is silent, and fails those that have lost too many. Answers their ids. */
  settleLost(): Promise<string[]>
  /** Takes a job up. Undefined where that is not to be done, or another runner has it. */
  claim(id: string): Promise<JobRun | undefined>
}
