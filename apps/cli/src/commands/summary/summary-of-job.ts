import type { Client } from "@assay/client"
import { resultsFolder } from "@assay/local"
import { readRows, resultScores, type scoreGates, storedRows } from "@assay/results"
import type { Summary, SummaryRow } from "@assay/reports"
import type {
  Comparison,
  Condition,
  EvaluationConfigBody,
  EvaluationResult,
  EvaluationTargetBody,
  JobStatusDetails,
} from "@assay/schemas"
import type { ExitCode } from "../../exit-code.ts"
import { given } from "../option-values.ts"
import { verdictOf } from "./write-summary.ts"

/** A job that has ended, here or on a server. */
export interface SummarizedJob {
  readonly name: string
  readonly code: ExitCode
  readonly status: string
  readonly message: string
  readonly target: EvaluationTargetBody
  readonly result: EvaluationResult | null
  readonly conditions: readonly Condition[]
  readonly gates: ReturnType<typeof scoreGates.check>
  readonly details?: Partial<JobStatusDetails>
  readonly milliseconds?: number | undefined
  readonly comparison?: Comparison | null | undefined
  readonly notes?: readonly string[]
  readonly worst: readonly SummaryRow[]
  readonly links: NonNullable<Summary["links"]>
  readonly next?: readonly string[]
}

/** Returns the summary of a job. */
export function summaryOfJob(job: SummarizedJob): Summary {
  const { name, code, status, message, target, result, conditions, gates, details = {}, milliseconds } = job
  const { comparison, notes = [], worst, links, next } = job
  const { samples_processed: rows, samples_failed: failed, tokens, cost } = details
  return {
    name,
    verdict: verdictOf(code),
    job: {
      status,
      message,
      conditions,
      ...given({ rows, failed, milliseconds, tokens, cost, next }),
      asksModel: target.model !== undefined,
    },
    gates,
    ...(result === null ? {} : { scores: resultScores.list(result) }),
    comparison,
    worst,
    notes,
    links,
  }
}

/** Returns the link to the page of a job in the console of its server. */
export function linkOfJob({ url }: Client, id: string): { readonly label: string; readonly url: string } {
  return { label: "The job on the server", url: new URL(`jobs/${encodeURIComponent(id)}`, `${url}/`).href }
}

const MAX_ROWS = 5

/** Reads the worst rows of results on this machine. `name` is the folder as messages show it. */
export async function worstRowsHere(folder: string, name: string, signal: AbortSignal): Promise<readonly SummaryRow[]> {
  const { job, result, rows } = await resultsFolder.read(folder, name)
  const read = (stop?: AbortSignal) => readRows(rows(stop))
  return storedRows.worst({ result, config: job.config, rows: read }, MAX_ROWS, signal)
}

export interface ServedRows {
  readonly id: string
  readonly config: EvaluationConfigBody
  readonly result: EvaluationResult | null
  readonly gates: SummarizedJob["gates"]
}

/** Lists rows of a job on a server: some that failed, and then those that are worst by the score that a gate limits, or by the first score. */
export async function worstRowsOnServer(
  { evaluation }: Client,
  { id, config, result, gates }: ServedRows,
  signal: AbortSignal,
): Promise<readonly SummaryRow[]> {
  const list = evaluation.jobs
  // A benchmark has no rows.
  if (config.type === "benchmark") return []
  const wanted = { filter: { error: { $nin: "null" } }, limit: Math.floor(MAX_ROWS / 2) }
  const failed = await list.rows(id, wanted, { signal })
  const scores =
    result === null ? [] : resultScores.list(result).filter((score) => !resultScores.isAmount(config, score))
  const limited = gates.find(({ verdict }) => verdict !== "PASS")?.name ?? gates[0]?.name
  const score = scores.find(({ name }) => name === limited) ?? scores[0]
  if (score === undefined) return failed.data
  const { task, metric, score: part } = score
  const isTask = result?.tasks[task] !== undefined
  const isUpwards = resultScores.isHigherBetter(config, score)
  const best = resultScores.bestValue(config, score, score.found.stats)
  // If no value is known to be better than the others, no row is worse.
  if (best === undefined) return failed.data
  const lowest = await list.rows(
    id,
    {
      ...(isTask ? { task } : {}),
      sort: `${isUpwards ? "" : "-"}score:${metric}.${part}`,
      filter: { error: { $eq: "null" } },
      limit: MAX_ROWS - failed.data.length,
    },
    { signal },
  )
  return [...failed.data, ...lowest.data.filter(({ scores: found }) => found[metric]?.[part] !== best)]
}
