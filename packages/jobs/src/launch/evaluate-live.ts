import { describeProgress, runEvaluation } from "@assay/attempts"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { createFolder } from "@assay/storage"
import {
  invalidRequest,
  MAX_LIVE_ROWS,
  rowFieldsOf,
  type EvaluationConfigBody,
  type EvaluationRow,
  type EvaluationTargetBody,
  type JobStatus,
  type LiveAnswer,
  type LiveBody,
} from "@assay/schemas"
import type { Journal } from "@assay/evaluation"
import { type JobLogLine } from "@assay/results"
import { createHostEnvironment } from "./host-environment.ts"
import { resolveSubject, type LaunchContext, type LaunchOptions } from "./launch-job.ts"

/**
 * Evaluates a few rows while the caller waits, and stores nothing.
 * @throws `invalid_request` for more than 100 rows; the errors of `resolveSubject`
 */
export async function evaluateLive(
  body: LiveBody,
  { rights, signal }: Pick<LaunchOptions, "rights" | "signal">,
  context: Omit<LaunchContext, "jobs">,
): Promise<LiveAnswer & { status: JobStatus }> {
  const { target, config, namespace: workspace } = await resolveSubject(body, { rights, signal }, context)
  checkFewRows(target, config)
  await createFolder(context.workFolder, { mode: 0o700, durable: false })
  const workFolder = await mkdtemp(join(context.workFolder, "rows-"))
  try {
    const environment = await createHostEnvironment(context, { workspace, rights, workFolder, recordingOf: config })
    const id = context.newId("eval")
    const log: string[] = []
    const rows: EvaluationRow[] = []
    const job = {
      id,
      namespace: workspace,
      target,
      config: withoutRateLimitWait(config),
      attempt: 1,
      scope: { kind: "run" },
    } as const
    const outcome = await runEvaluation(job, environment, {
      journal: createMemoryJournal(rows),
      signal,
      filesUrl: null,
      onProgress: () => {},
      onLog: (line) => void log.push(formatLine(line)),
      onConditions: () => {},
    })
    signal.throwIfAborted()
    const { status, message, progress, result } = outcome
    const status_details = describeProgress(progress, message)
    return { status, status_details, result, rows: rows.map(rowFieldsOf), logs: log.join("") }
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

function formatLine({ level, message }: JobLogLine): string {
  return `${level.toUpperCase().padEnd(5)} ${message}\n`
}

/** Returns a configuration without waits for the end of a rate limit, unless the request sets them: the caller waits. */
function withoutRateLimitWait(config: EvaluationConfigBody): EvaluationConfigBody {
  const { max_rate_limit_wait: wait } = config.params ?? {}
  return { ...config, params: { ...config.params, max_rate_limit_wait: wait ?? 0 } }
}

/** Allows few inline rows, and a dataset only with a low limit. @throws `invalid_request` */
function checkFewRows(target: EvaluationTargetBody, config: EvaluationConfigBody): void {
  if (config.type === "benchmark") {
    throw invalidRequest(
      ["body", "config", "type"],
      "A benchmark takes longer than a call; launch a job",
      "value_error",
    )
  }
  if (target.type === "rows") {
    const { length } = target.rows ?? []
    if (length <= MAX_LIVE_ROWS) return
    const msg = `${length} rows are too many for a live evaluation; give up to ${MAX_LIVE_ROWS}, or launch a job`
    throw invalidRequest(["body", "target", "rows"], msg, "too_long")
  }
  const limits = [config.params, ...Object.values(config.tasks ?? {}).map(({ params }) => params)].map(
    (params) => params?.limit_samples,
  )
  const [common, ...ofTasks] = limits
  const isFew = (limit: number | null | undefined) => limit !== undefined && limit !== null && limit <= MAX_LIVE_ROWS
  if (isFew(common) && ofTasks.every((limit) => limit === undefined || isFew(limit))) return
  const msg = `A live evaluation takes rows inline, or a dataset with 'limit_samples' of up to ${MAX_LIVE_ROWS}; launch a job for more`
  throw invalidRequest(["body", "config", "params", "limit_samples"], msg, "value_error")
}

/** Creates a journal in memory that appends to `rows`. */
function createMemoryJournal(rows: EvaluationRow[]): Journal {
  return {
    append: (row) => void rows.push(row),
    flush: async () => {},
    async *read() {
      if (rows.length > 0) yield [...rows]
    },
    async *bytes() {
      for (const row of rows) yield Buffer.from(`${JSON.stringify(row)}\n`)
    },
    close: async () => {},
  }
}
