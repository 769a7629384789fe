import type {
  ComparedRowPage,
  Comparison,
  EndpointModels,
  EndpointModelsBody,
  JobTrend,
  Leaderboard,
  LiveAnswer,
  LiveBody,
  PaceExchange,
  PaceLease,
  PairLabelQueue,
} from "@assay/schemas"
import type { CallJson } from "../exchange/call-json.ts"
import type { CallOptions, RetryOptions } from "../client-options.ts"
import { createEvaluationBaselines, type EvaluationBaselines } from "./evaluation-baselines.ts"
import { createEvaluationDocuments, type EvaluationConfigs, type EvaluationTargets } from "./evaluation-documents.ts"
import { createEvaluationJobs, type CompareRowsQuery, type EvaluationJobs } from "./evaluation-jobs.ts"
import { rowQuery } from "./row-filters.ts"
import { route } from "../exchange/route.ts"
import type { Exchange } from "../exchange/exchange.ts"

export interface CompareOptions extends CallOptions {
  /** How much worse than the score of the first job a passing score may be. Default 0. */
  readonly margin?: number
  /** Decide although a metric or a judge differs between the jobs. Default false. */
  readonly allowChanged?: boolean
  /** Decide scores of judges by the difference that people would see, from labels. Default false. */
  readonly corrected?: boolean
  /** The fileset with the labels, with `corrected`. Default: `labels` in the workspace of the first job. */
  readonly labels?: string
}

export interface PairsToLabelOptions extends Omit<CompareOptions, "corrected"> {
  /** `metric.score`, or `metric` if it has one score. */
  readonly metric: string
  /** The task of the score, if several have it. */
  readonly task?: string
  /** Default 1. */
  readonly seed?: number
  /** Pairs of rows. Default 20. */
  readonly limit?: number
}

/** Which jobs a trend is about. All conditions must hold. Default: all jobs of the workspace. */
export interface TrendQuery {
  /** The name of a stored configuration. */
  readonly config?: string
  /** As `workspace/fileset/path`. */
  readonly dataset?: string
  /** The description of the jobs. */
  readonly name?: string
  /** A baseline: the jobs that it points or has pointed to. */
  readonly baseline?: string
}

export interface LeaderboardQuery {
  /** As `workspace/fileset/path`. */
  readonly dataset: string
  /** `task.metric.score`. Default: the first score of the newest job that is not an amount. */
  readonly score?: string
}

export interface Evaluation {
  readonly jobs: EvaluationJobs
  readonly targets: EvaluationTargets
  readonly configs: EvaluationConfigs
  readonly baselines: EvaluationBaselines
  /** Compares finished jobs with the first of them, row by row. */
  compare(jobs: readonly string[], options?: CompareOptions): Promise<Comparison>
  /** Draws the rows of two jobs that people should label next, until their comparison is decided. @throws `invalid_request` */
  pairsToLabel(jobs: readonly [string, string], options: PairsToLabelOptions): Promise<PairLabelQueue>
  /** Returns a page of the rows that two jobs have, side by side. @throws `bad_filter`, `unknown_filter_field`, `invalid_request` */
  compareRows(query: CompareRowsQuery, options?: CallOptions): Promise<ComparedRowPage>
  /** Returns what the jobs of a workspace found over time. @throws `not_found` for an unknown workspace or baseline */
  trend(workspace: string, query?: TrendQuery, options?: CallOptions): Promise<JobTrend>
  /** Ranks the latest jobs over a dataset. @throws `not_found` if no job reads it; `invalid_request` for an unknown score */
  leaderboard(workspace: string, query: LeaderboardQuery, options?: CallOptions): Promise<Leaderboard>
  /** Evaluates at most 100 inline rows, and stores nothing. */
  live(body: LiveBody, options?: CallOptions): Promise<LiveAnswer>
  /** Lists the models of an endpoint that jobs of the workspace could ask. */
  listModels(workspace: string, endpoint: EndpointModelsBody, options?: CallOptions): Promise<EndpointModels>
  /** Reports what an endpoint accepts and refuses to all who ask it for a workspace, and returns turns for requests to it. */
  exchangePace(workspace: string, exchange: PaceExchange, options?: CallOptions): Promise<PaceLease>
}

const root = "/v1/evaluation"

export function createEvaluation(
  call: CallJson,
  exchange: Exchange,
  server: { readonly url: string; readonly retry?: RetryOptions },
): Evaluation {
  return {
    jobs: createEvaluationJobs(call, exchange, server),
    targets: createEvaluationDocuments(call, "targets"),
    configs: createEvaluationDocuments(call, "configs"),
    baselines: createEvaluationBaselines(call),
    // Their time depends on the number of rows and on the models that are asked.
    compare: async (jobs, { margin, allowChanged, corrected, labels, signal } = {}) =>
      call({
        method: "GET",
        path: `${root}/compare`,
        query: { jobs: jobs.join(","), margin, allow_changed: allowChanged, corrected, labels },
        signal,
        patient: true,
      }),
    pairsToLabel: async (jobs, { allowChanged, signal, ...query }) =>
      call({
        method: "GET",
        path: `${root}/compare/labels/next`,
        query: { jobs: jobs.join(","), allow_changed: allowChanged, ...query },
        signal,
        patient: true,
      }),
    compareRows: async (query, { signal } = {}) =>
      call({ method: "GET", path: `${root}/compare/rows`, query: rowQuery(query), signal, patient: true }),
    trend: async (workspace, query = {}, { signal } = {}) =>
      call({ method: "GET", path: `${root}/trends${route(workspace)}`, query: { ...query }, signal, patient: true }),
    leaderboard: async (workspace, query, { signal } = {}) =>
      call({
        method: "GET",
        path: `${root}/leaderboards${route(workspace)}`,
        query: { ...query },
        signal,
        patient: true,
      }),
    live: async (json, { signal } = {}) => call({ method: "POST", path: `${root}/live`, json, signal, patient: true }),
    listModels: async (workspace, json, { signal } = {}) =>
      call({ method: "POST", path: `${root}/models${route(workspace)}`, json, signal }),
    exchangePace: async (workspace, json, { signal } = {}) =>
      call({ method: "POST", path: `${root}/paces${route(workspace)}`, json, signal }),
  }
}
