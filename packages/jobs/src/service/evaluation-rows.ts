import { join } from "node:path"
import type { Registry } from "@assay/registry"
import {
  AssayError,
  isFinalJobStatus,
  parseRowFilters,
  rowAttemptOf,
  type ComparedRowPage,
  type EvaluationJob,
  type RowAttempts,
  type ScoreDistribution,
  type ScoredRowPage,
} from "@assay/schemas"
import { type JobRows, type labelDesk, rowLines, rowOrder } from "@assay/results"
import { compareRows, type CompareRowsQuery } from "./rows/compared-rows.ts"
import { findGuardrail } from "../launch/find-guardrail.ts"
import type { FindRowLines, RowLines } from "./find-row-lines.ts"
import { findJob, type JobCaller } from "./job-caller.ts"
import type { JobHost } from "../launch/job-host.ts"

type JudgedJob = Parameters<typeof labelDesk.ofJob>[0]
type RowsSoFar = NonNullable<Parameters<JobRows["summarize"]>[1]["soFar"]>

/** The rows of evaluation jobs, for callers that may see the job. Without a journal they are read from the results. */
export interface EvaluationRows {
  /** Returns a page of rows. @throws `not_found`, `rows_gone`, `bad_filter`, `unknown_filter_field`, `invalid_request` */
  list(id: string, query: RowPageQuery, caller: JobCaller): Promise<ScoredRowPage>
  /** Returns a page of the rows that two jobs have. @throws `not_found`, `rows_gone`, `bad_filter`, `unknown_filter_field`, `invalid_request` */
  compare(a: string, b: string, query: CompareRowsQuery, caller: JobCaller): Promise<ComparedRowPage>
  /** Returns every attempt at a row, with the requests about it rendered again. @throws `not_found`, `rows_gone` */
  get(id: string, row: { readonly task: string; readonly index: number }, caller: JobCaller): Promise<RowAttempts>
  /** @throws `not_found`, `rows_gone`, `bad_filter`, `unknown_filter_field`, `invalid_request` */
  distribution(id: string, query: DistributionQuery, caller: JobCaller): Promise<ScoreDistribution>
  /** Opens the scored rows of a job for labels of people. @throws `not_found`, `rows_gone` */
  judged(id: string, caller: JobCaller): Promise<JudgedJob>
  /** Removes the index of a deleted job. */
  forget(id: string): Promise<void>
  close(): Promise<void>
}

export interface FilterParameters {
  readonly task?: string | undefined
  /** The query parameters of filters, decoded. */
  readonly parameters: readonly (readonly [string, string])[]
  /** Ends a search for a client that has left. */
  readonly signal?: AbortSignal | undefined
}

type PageOfRows = Parameters<typeof rowLines.page>[2]

export interface RowPageQuery extends PageOfRows {
  /** The id of the job with which each row is compared. */
  readonly against?: string | undefined
}

export interface DistributionQuery extends FilterParameters {
  /** `metric.score`, or `metric` if it has one score. */
  readonly metric: string
}

export interface EvaluationRowsContext extends Pick<JobHost, "guardrails"> {
  readonly registry: Pick<Registry, "jobs" | "as" | "sharedDatabase">
  /** The folder for files of jobs on this machine. */
  readonly folder: string
  readonly newId: (prefix: string) => string
}

/** Creates the operations. The index starts with the first of them. */
export function createEvaluationRows(context: EvaluationRowsContext): EvaluationRows {
  const { registry, guardrails } = context
  let opened: Promise<OpenRows> | undefined
  const open = () => (opened ??= openRows(context))
  const access: RowAccess = {
    rows: async () => (await open()).rows,
    async see(id, caller) {
      const record = await findJob(registry, id, { caller, role: "viewer" })
      return { ...(await (await open()).lines.of(record, caller.rights)), record }
    },
  }
  const { rows, see } = access

  return {
    list: (id, query, caller) => listRows(access, id, query, caller),
    compare: (a, b, query, caller) => compareRows(access, [a, b], query, caller),
    get: (id, { task, index }, caller) => getRow({ ...access, guardrails }, { id, task, index }, caller),
    distribution: (id, query, caller) => distributionOf(access, id, query, caller),
    async judged(id, caller) {
      const job = await see(id, caller)
      const index = await rows()
      return {
        id,
        config: job.record.config,
        read: () => index.read(job),
        at: (keys) => index.at(job, keys),
        draw: (draw) => index.draw(job, draw),
        issued: (draw) => index.issued(job, draw),
        judged: (score, labels) => index.judged(job, score, labels),
        interval: async (metric) => (await distributionOf(access, id, { metric, parameters: [] }, caller)).interval,
      }
    },
    async forget(id) {
      await (await opened)?.lines.forget(id)
    },
    async close() {
      const ended = await opened?.catch(() => undefined)
      await ended?.rows.close()
      await ended?.remove()
    },
  }
}

interface OpenRows {
  readonly rows: JobRows
  readonly lines: FindRowLines
  readonly remove: () => Promise<void>
}

async function openRows({ registry, folder, newId }: EvaluationRowsContext): Promise<OpenRows> {
  // Then journals are in the database.
  const isShared = registry.sharedDatabase !== undefined
  const { openIndexFolder } = await import("./index-folder.ts")
  const { createJobRows } = await import("@assay/results")
  const { createFindRowLines } = await import("./find-row-lines.ts")
  // Several processes can use the folder of a shared database.
  const own = isShared ? await openIndexFolder(join(folder, "row-index"), newId("index")) : undefined
  const rows = createJobRows()
  const lines = createFindRowLines({ registry, folder, indexFolder: own?.path, rows })
  return { rows, lines, remove: async () => own?.remove() }
}

/** Opens the rows of a job to a caller that may see it. */
export interface RowAccess {
  readonly rows: () => Promise<JobRows>
  /** @throws `not_found`, `rows_gone` */
  readonly see: (id: string, caller: JobCaller) => Promise<RowLines & { readonly record: EvaluationJob }>
}

async function listRows(
  { rows: open, see }: RowAccess,
  id: string,
  { against, ...query }: RowPageQuery,
  caller: JobCaller,
): Promise<ScoredRowPage> {
  const job = await see(id, caller)
  const other = against === undefined ? undefined : await see(against, caller)
  return rowLines.page(await open(), { job, against: other }, query)
}

async function getRow(
  { rows, see, guardrails }: RowAccess & Pick<JobHost, "guardrails">,
  { id, task, index }: { readonly id: string; readonly task: string; readonly index: number },
  caller: JobCaller,
): Promise<RowAttempts> {
  const job = await see(id, caller)
  const attempts = await (await rows()).row(job, task, index)
  if (attempts.length === 0) {
    const message = `Evaluation job '${id}' has no row ${index} of task '${task.slice(0, 200)}' so far.`
    throw new AssayError("not_found", message, { context: { job: id } })
  }
  const { renderRowRequests } = await import("@assay/evaluation")
  const scope = { workspace: job.record.namespace, rights: caller.rights }
  const requests = await renderRowRequests(job.record, attempts, {
    getGuardrail: (name) => findGuardrail(guardrails, name, scope),
  })
  return {
    task,
    row_index: index,
    attempts: attempts.map((row, attempt) => rowAttemptOf(row, requests[attempt] ?? [])),
  }
}

async function distributionOf(
  { rows, see }: RowAccess,
  id: string,
  { task, metric, parameters, signal }: DistributionQuery,
  caller: JobCaller,
): Promise<ScoreDistribution> {
  const job = await see(id, caller)
  const soFar = rowsSoFar(job.record, task)
  const conditions = { score: metric, task, soFar, filters: parseRowFilters(parameters) }
  const stats = await (await rows()).summarize(job, conditions, signal)
  return { metric, task: task ?? null, order: soFar?.order ?? "complete", ...stats }
}

/** Returns how the rows so far of a job were chosen; undefined if it has ended, unless gates have ended it before all rows were asked. */
function rowsSoFar(
  { id, status, status_details: details, config }: EvaluationJob,
  task?: string,
): RowsSoFar | undefined {
  const { params, tasks = {} } = config
  const names = Object.keys(tasks)
  const repeats = params?.repeats ?? 1
  const stopped = details.stopped_early
  if (stopped != null) {
    const total = names.length === 1 ? stopped.rows_total : null
    return { order: "random", seed: stopped.order_seed, total, repeats, isOfSet: true }
  }
  if (isFinalJobStatus(status)) return undefined
  const gates = (params?.gates ?? []).filter((gate) => gate.task === (task ?? names[0]))
  const isOfSet = gates.length > 0 && gates.every(({ stop }) => stop === "early")
  if (!isOfSet && params?.budget === undefined) return { order: "file" }
  const total = details.samples_total ?? null
  const isKnown = names.length === 1 && total !== null
  return {
    order: "random",
    seed: rowOrder.seedOf(id),
    total: isKnown ? Math.ceil(total / repeats) : null,
    repeats,
    isOfSet,
  }
}
