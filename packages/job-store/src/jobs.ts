import type { JobGrants } from "./job-grants.ts"
import type {
  EvaluationJob,
  EvaluationResult,
  JobScope,
  JobStatus,
  LaunchEstimate,
  Pagination,
  UpdateJob,
} from "@assay/schemas"
import type { PageQuery, VisibleWorkspaces } from "@assay/database"
import type { Discarding } from "./trash-of-jobs.ts"
import type { JobEvent, NewJobEvent } from "./job-events.ts"
import type { JobRun } from "./job-run.ts"
import type { JobWatch } from "./job-watches.ts"
import type { ShardListing, ShardPageQuery } from "./shards/list-shards.ts"
import type { LostShard, ShardAgain, ShardWorker } from "./shards/sharded-jobs.ts"
import type { StoredJournal } from "./journal/stored-journal.ts"

/** A job in the trash. */
export interface DiscardedJob {
  readonly restorable_until: string
}

type JobSort = "created_at" | "-created_at" | "updated_at" | "-updated_at"

/** Fields that can be searched for a part of their text. For `target` and `config`, it is their name. */
export type JobSearchField =
  | "id"
  | "namespace"
  | "description"
  | "project"
  | "target"
  | "config"
  | "status"
  | "rescored_from"

export interface CreateJob
  extends
    Pick<EvaluationJob, "namespace" | "target" | "config">,
    Partial<
      Pick<
        EvaluationJob,
        "description" | "output_files_url" | "project" | "custom_fields" | "ownership" | "rescored_from"
      >
    > {
  /** Default: a new id. A given id can be used before the job exists. */
  readonly id?: string
  /** Default: none. */
  readonly grants?: JobGrants
  /** The id of the fileset that `output_files_url` names. Results go there, even if it is renamed. */
  readonly resultsFileset?: string | undefined
  /** The estimate of the launch checks. The details of the job have it until it runs. */
  readonly estimate?: LaunchEstimate | undefined
  /** Events of the launch. */
  readonly events?: readonly NewJobEvent[]
}

export interface JobFilter {
  readonly namespace?: string
  readonly status?: readonly JobStatus[]
  /** `<workspace>/<name>`, or a name in the job's own workspace. */
  readonly target?: string
  readonly config?: string
  /** Milliseconds since 1970; both ends are included. */
  readonly created_at?: { readonly from?: number; readonly to?: number }
}

export interface JobQuery extends PageQuery {
  readonly sort: JobSort
  readonly filter?: JobFilter
  /** All of them must match. The case of ASCII letters is ignored. */
  readonly search?: Readonly<Partial<Record<JobSearchField, string>>>
}

/** The location of a job's results, as far as it is not in its record. */
export interface JobResultsLocation {
  /** The folder of the current results, below the location that `output_files_url` names. Empty until there are results. */
  readonly folder: string
  /** The fileset that `output_files_url` named at launch, with its present name. Undefined if it named none. */
  readonly fileset: ResultsFilesetName | "removed" | undefined
}

interface ResultsFilesetName {
  readonly id: string
  readonly workspace: string
  readonly name: string
}

/** A job that waits for a runner. */
export interface RunnableRecord {
  readonly id: string
  readonly priority: number
}

/**
 * Evaluation jobs. The record is the only source of a job's status. The runner of a job holds a lease on it. Every change
 * of status is in the table of transitions, and becomes an event.
 */
export interface Jobs {
  /** Creates a job that waits for a runner. @throws `invalid_request` if there is no such workspace */
  create(body: CreateJob): Promise<EvaluationJob>
  list(query: JobQuery, visible: VisibleWorkspaces): Promise<{ data: EvaluationJob[]; pagination: Pagination }>
  /** @throws `not_found` */
  get(id: string): Promise<EvaluationJob>
  /** Changes the words about a job, in any status. @throws `not_found` */
  update(id: string, changes: UpdateJob): Promise<EvaluationJob>
  /**
   * Moves a job into the trash, with the fileset of its results. Until its time is over, it looks removed and can be restored.
   * Undefined, and nothing has changed: this server keeps no trash.
   * @throws `not_found`, `job_not_final`
   */
  discard(id: string, discarding: Discarding): Promise<DiscardedJob | undefined>
  /**
   * Takes a job out of the trash.
   * @throws `not_found`; `already_exists` if another fileset has the name of the fileset with its results
   */
  restore(workspace: string, id: string): Promise<EvaluationJob>
  /** Lists jobs of the trash that are to be removed for good. */
  listDiscarded(limit: number): Promise<readonly EvaluationJob[]>
  /** Returns whether there is a record of a job, also in the trash. */
  isStored(id: string): Promise<boolean>
  /** Removes a job with its events, its result and its journal for good, also one in the trash. @throws `not_found`, `job_not_final` */
  remove(id: string): Promise<EvaluationJob>
  /**
   * Cancels a job. A job that has not begun ends at once. Otherwise its status becomes CANCELLING, and its present or next
   * runner ends it.
   * @throws `not_found`; `illegal_transition` if the job has completed or failed
   */
  cancel(id: string): Promise<EvaluationJob>
  /**
   * Restarts a job that has ended.
   * @throws `not_found`, `job_not_final`, `illegal_transition`
   */
  restart(id: string, scope: JobScope): Promise<EvaluationJob>
  /** Returns undefined while the job has no result. @throws `not_found` about the job */
  getResult(id: string): Promise<EvaluationResult | undefined>
  /** @throws `not_found` about the job */
  getResultsLocation(id: string): Promise<JobResultsLocation>
  /** Opens the journal of a job for reading. It is empty if the job does not exist, or if its runner keeps the journal itself. */
  openJournal(id: string): StoredJournal
  /** Lists the events after a number, oldest first. Of the progress events, only the newest is kept. */
  listEvents(id: string, after: number, limit: number): Promise<readonly JobEvent[]>
  /** Watches a job for new events, also of runners on other servers. */
  watch(id: string): JobWatch
  /** Lists jobs that wait for a runner: new, released, or lost ones. Those with a higher priority come first, then the oldest. */
  listRunnable(limit: number): Promise<readonly RunnableRecord[]>
  /** Counts the jobs that have not ended, by their status. */
  countUnended(): Promise<ReadonlyMap<JobStatus, number>>
  /** Sets jobs with a silent runner to UNAVAILABLE, and fails jobs that have lost too many runners. Returns their ids. */
  settleLost(): Promise<string[]>
  /** Takes a job. Undefined if it has nothing to run, or another runner has it. */
  claim(id: string): Promise<JobRun | undefined>
  /** Lists the shards of a job that workers of servers run. */
  listShards(id: string, page: ShardPageQuery): Promise<ShardListing>
  /** Joins the workers of a job that is cut into shards. Undefined if this opening of the shards is over. */
  joinShards(id: string, opening: number): Promise<ShardWorker | undefined>
  /**
   * Settles a shard that was lost by one worker after another. Returns what to deliver again if they have added rows to it; otherwise the job fails
   * with `runner_lost`. Does nothing if the opening is over.
   */
  settleLostShard(id: string, shard: LostShard): Promise<ShardAgain | undefined>
}
