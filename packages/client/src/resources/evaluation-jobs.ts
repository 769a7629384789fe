import {
  type ComparedRowChange,
  type ComparedRowSort,
  type EvaluationJob,
  type EvaluationJobPage,
  type EvaluationResult,
  type JobEvent,
  type JobExplanation,
  type JobShardPage,
  type JobStatusAnswer,
  type LaunchBody,
  type LaunchCheckOutcome,
  type LaunchCheckProgress,
  type ListingSort,
  type RemovedJob,
  type RescoreBody,
  RESTORABLE_UNTIL,
  type RowAttempts,
  type ScoreBody,
  type ScoreDistribution,
  type ScoredRowPage,
  type UpdateJob,
} from "@assay/schemas"
import { discardBody } from "@assay/http"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions, RetryOptions } from "../client-options.ts"
import type { Exchange } from "../exchange/exchange.ts"
import { createJobLabels, type JobLabels } from "./job-labels.ts"
import { followChecks } from "./follow-checks.ts"
import { followJob } from "./follow-job.ts"
import { recordsOfPages } from "../exchange/records-of-pages.ts"
import { route, type Query } from "../exchange/route.ts"
import { streamBody } from "../exchange/streams.ts"
import { type RowFilters, rowQuery } from "./row-filters.ts"
import type { PageQuery } from "./workspaces.ts"

/** Filters and order of a listing of jobs, targets or configurations. */
export interface EvaluationListQuery {
  /** Default `-created_at`. */
  readonly sort?: ListingSort
  /** Values that fields must have, such as `{status: "RUNNING", namespace: "default"}`. */
  readonly filter?: Readonly<Record<string, string>>
  /** Only records that were created at this time or later, and before the other. */
  readonly createdFrom?: string
  readonly createdBefore?: string
  /** Texts that fields must contain. */
  readonly search?: Readonly<Record<string, string>>
}

export interface LaunchOptions extends CallOptions {
  /** Launches the job without its launch checks. Default false. */
  readonly skipChecks?: boolean
}

export interface CheckJobOptions extends CallOptions {
  /** Is called when a check begins and when it has ended. */
  readonly onCheck?: (progress: LaunchCheckProgress) => void
  /** Runs only the checks that ask no model and write nothing, and calls no `onCheck`. Default false. */
  readonly isPlan?: boolean
}

export interface JobEventOptions extends CallOptions {
  /** Only events after the one with this number. */
  readonly after?: number
}

export interface JobLogOptions extends CallOptions {
  /** How many of the last lines are returned. Default: all lines. */
  readonly tail?: number
  /** Continues with new lines until the job has ended. Default false. */
  readonly follow?: boolean
}

export interface ScoredRowQuery {
  /** Default: rows of all tasks. */
  readonly task?: string
  /** `index`, `task`, `output`, `latency`, `condition`, `verdict`, `error`, `score:<metric>`, `item:<field>` or, with `against`, `changed:<metric>`; a leading `-` means descending. Default `index`. */
  readonly sort?: string
  readonly filter?: RowFilters
  /** The id of another job, whose rows are returned beside these. */
  readonly against?: string
  readonly offset?: number
  /** From 1 to 1000. Default 100. */
  readonly limit?: number
}

export interface ShardQuery {
  readonly offset?: number
  /** From 1 to 1000. Default 100. */
  readonly limit?: number
}

export interface RowAddress {
  readonly task: string
  /** From 0. */
  readonly index: number
}

export interface DistributionQuery {
  /** `<metric>.<score>`, or `<metric>` if it has one score. */
  readonly metric: string
  readonly task?: string
  readonly filter?: RowFilters
}

export interface CompareRowsQuery {
  /** The id of the first job. */
  readonly a: string
  /** The id of the second job. Filters are about its rows. */
  readonly b: string
  /** `<metric>.<score>`, or `<metric>` if it has one score. */
  readonly metric: string
  /** Default: rows of all tasks. */
  readonly task?: string
  /** Default `changed`: the largest difference first. */
  readonly sort?: ComparedRowSort
  /** Only rows whose score is higher, lower or the same in `b`. Default: all. */
  readonly change?: ComparedRowChange
  /** The ids of at most 8 further jobs, separated by commas, whose rows are returned beside these. */
  readonly others?: string
  readonly filter?: RowFilters
  readonly offset?: number
  /** From 1 to 1000. Default 100. */
  readonly limit?: number
}

/** Evaluation jobs, by their ids. */
export interface EvaluationJobs {
  /** Changes the words about a job: a given key replaces its whole value. */
  update(id: string, changes: UpdateJob, options?: CallOptions): Promise<EvaluationJob>
  /** Launches a job. @throws `launch_refused`, with every failed check in `failed_checks` of its context */
  launch(body: LaunchBody, options?: LaunchOptions): Promise<EvaluationJob>
  /** Runs the checks of a launch, and launches nothing. */
  check(body: LaunchBody, options?: CheckJobOptions): Promise<LaunchCheckOutcome>
  /** Returns one page. Default `page_size` 10, from 1 to 1000. */
  page(query?: EvaluationListQuery & PageQuery, options?: CallOptions): Promise<EvaluationJobPage>
  list(query?: EvaluationListQuery, options?: CallOptions): AsyncGenerator<EvaluationJob, void, undefined>
  get(id: string, options?: CallOptions): Promise<EvaluationJob>
  status(id: string, options?: CallOptions): Promise<JobStatusAnswer>
  /** Yields the events of a job until it has ended, each once, also after broken connections. */
  events(id: string, options?: JobEventOptions): AsyncGenerator<JobEvent, void, undefined>
  /** Returns the results. @throws `not_found` if there are none yet */
  result(id: string, options?: CallOptions): Promise<EvaluationResult>
  /** Yields the bytes of the results archive, a zip file. @throws `job_not_final` */
  download(id: string, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined>
  /** Yields the log as text, in pieces. */
  logs(id: string, options?: JobLogOptions): AsyncGenerator<Uint8Array, void, undefined>
  explain(id: string, options?: CallOptions): Promise<JobExplanation>
  /** Returns a page of scored rows, also while the job runs. @throws `bad_filter`, `unknown_filter_field`, `invalid_request` */
  rows(id: string, query?: ScoredRowQuery, options?: CallOptions): Promise<ScoredRowPage>
  /** Returns every attempt at a row. @throws `not_found` */
  row(id: string, row: RowAddress, options?: CallOptions): Promise<RowAttempts>
  /** Returns a page of the shards of a job, also while it runs. */
  shards(id: string, query?: ShardQuery, options?: CallOptions): Promise<JobShardPage>
  /** Yields what the processes of a shard have written, as text. @throws `not_found` if there is no such shard */
  shardLog(id: string, index: number, options?: CallOptions): AsyncGenerator<Uint8Array, void, undefined>
  /** Returns how a score is distributed. @throws `bad_filter`, `unknown_filter_field`, `invalid_request` */
  distribution(id: string, query: DistributionQuery, options?: CallOptions): Promise<ScoreDistribution>
  /** Labels of people for rows of the job. */
  readonly labels: JobLabels
  cancel(id: string, options?: CallOptions): Promise<EvaluationJob>
  /** Asks the rows that have no answer yet. @throws `job_not_final` */
  resume(id: string, options?: CallOptions): Promise<EvaluationJob>
  /** Asks the failed rows again. @throws `job_not_final` */
  retryFailed(id: string, options?: CallOptions): Promise<EvaluationJob>
  /** Adds metrics to finished rows without asking the target again. @throws `job_not_final` */
  score(id: string, body: ScoreBody, options?: CallOptions): Promise<EvaluationJob>
  /** Launches a job that scores the outputs of one that has ended, whose target is not asked. @throws `job_not_final`, `launch_refused` */
  rescore(id: string, body: RescoreBody, options?: LaunchOptions): Promise<EvaluationJob>
  /**
   * Removes a job and its results. Until `restorable_until` the trash keeps them. `permanent`: they are deleted at once.
   * @throws `job_not_final`, `in_use`
   */
  remove(id: string, options?: CallOptions & { readonly permanent?: boolean | undefined }): Promise<RemovedJob>
}

const LIST_PAGE_SIZE = 100

function path(...below: readonly string[]): string {
  return `/v1/evaluation${route("jobs", ...below)}`
}

/** Writes filters and searches with brackets, beside the other parameters. */
export function listingQuery(listing: EvaluationListQuery & PageQuery): Query {
  const { filter, search, createdFrom, createdBefore, ...query } = listing
  const bracketed = Object.entries({ filter, search }).flatMap(([name, fields]) =>
    Object.entries(fields ?? {}).map(([field, value]) => [`${name}[${field}]`, value] as const),
  )
  return {
    ...query,
    "filter[created_at][gte]": createdFrom,
    "filter[created_at][lt]": createdBefore,
    ...Object.fromEntries(bracketed),
  }
}

export function createEvaluationJobs(
  call: CallJson,
  exchange: Exchange,
  { url, retry }: { readonly url: string; readonly retry?: RetryOptions },
): EvaluationJobs {
  const page: EvaluationJobs["page"] = async (query = {}, { signal } = {}) =>
    call({ method: "GET", path: path(), query: listingQuery(query), signal })
  const get = async <T>(id: string, what: readonly string[], { signal }: CallOptions = {}): Promise<T> =>
    call({ method: "GET", path: path(id, ...what), signal })
  const post = async (id: string, what: string, { signal }: CallOptions = {}, json?: unknown): Promise<EvaluationJob> =>
    call({ method: "POST", path: path(id, what), json, signal })
  const launch = launcherOf(call)
  return {
    page,
    launch: (json, options) => launch([], json, options),
    check: async (json, { onCheck, isPlan = false, signal } = {}) => {
      if (isPlan)
        return call({ method: "POST", path: path("check"), query: { plan: true }, json, signal, patient: true })
      if (onCheck !== undefined) return followChecks({ exchange, url, path: path("check"), json, onCheck, signal })
      return call({ method: "POST", path: path("check"), json, signal, patient: true })
    },
    list: (query, options) => recordsOfPages(LIST_PAGE_SIZE, (part) => page({ ...query, ...part }, options)),
    update: async (id, json, { signal } = {}) => call({ method: "PATCH", path: path(id), json, signal }),
    get: (id, options) => get(id, [], options),
    status: (id, options) => get(id, ["status"], options),
    events: (id, { after, signal } = {}) =>
      followJob({ exchange, url, path: path(id, "events"), retry, after, signal }),
    result: (id, options) => get(id, ["results"], options),
    download: (id, { signal } = {}) =>
      streamBody(exchange, url, { method: "GET", path: path(id, "download-results"), signal }),
    logs: (id, { tail, follow, signal } = {}) => {
      const query = { format: "text", tail, follow }
      return streamBody(exchange, url, { method: "GET", path: path(id, "logs"), query, signal })
    },
    explain: (id, options) => get(id, ["explain"], options),
    rows: async (id, query = {}, { signal } = {}) =>
      call({ method: "GET", path: path(id, "rows"), query: rowQuery(query), signal, patient: true }),
    shards: async (id, query = {}, { signal } = {}) =>
      call({ method: "GET", path: path(id, "shards"), query: { ...query }, signal, patient: true }),
    shardLog: (id, index, { signal } = {}) =>
      streamBody(exchange, url, { method: "GET", path: path(id, "shards", String(index), "log"), signal }),
    row: (id, { task, index }, options) => get(id, ["rows", task, String(index)], options),
    distribution: async (id, query, { signal } = {}) =>
      call({ method: "GET", path: path(id, "distribution"), query: rowQuery(query), signal, patient: true }),
    labels: createJobLabels(call, path),
    cancel: (id, options) => post(id, "cancel", options),
    resume: (id, options) => post(id, "resume", options),
    retryFailed: (id, options) => post(id, "retry-failed", options),
    score: (id, body, options) => post(id, "score", options, body),
    rescore: (id, body, options) => launch([id, "rescore"], body, options),
    remove: async (id, { permanent, signal } = {}) => {
      const { headers, body } = await exchange({ method: "DELETE", path: path(id), query: { permanent }, signal })
      await discardBody(body)
      return { id, restorable_until: headers.get(RESTORABLE_UNTIL) }
    },
  }
}

/** Returns the call that launches a job at a path below those of jobs. */
function launcherOf(call: CallJson) {
  return async (below: readonly string[], json: unknown, options: LaunchOptions = {}): Promise<EvaluationJob> => {
    const { skipChecks = false, signal } = options
    const query = skipChecks ? { skip_validation_checks: true } : {}
    return call({ method: "POST", path: path(...below), query, json, signal, patient: true })
  }
}
