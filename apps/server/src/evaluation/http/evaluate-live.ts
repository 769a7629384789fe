import { mkdir, mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import type { JobLogLine } from "@assay/evaluation"
import {
  invalidRequest,
  MAX_LIVE_ROWS,
  type EvaluationConfigBody,
  type EvaluationTargetBody,
  type JobStatus,
  type LiveAnswer,
  type LiveBody,
} from "@assay/schemas"
import type { Caller } from "../../auth/grant.ts"
import { loadEvaluation } from "../load-evaluation.ts"
import { createServerEnvironment } from "../environment/create-server-environment.ts"
import { rightsOfCaller } from "../environment/environment-rights.ts"
import { resolveSubject, type LaunchContext } from "./launch-job.ts"
import { createMemoryJournal } from "./memory-journal.ts"

export interface LiveOptions {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/**
 * Evaluates few rows while the caller waits, and keeps nothing.
 * @throws `invalid_request` for more rows than that, and what a launch throws about target and configuration
 */
export async function evaluateLive(
  body: LiveBody,
  { caller, signal }: LiveOptions,
  context: Omit<LaunchContext, "jobs">,
): Promise<LiveAnswer & { status: JobStatus }> {
  const { target, config, namespace } = await resolveSubject(body, caller, context)
  checkFewRows(target, config)
  const { runEvaluation, describeProgress } = await loadEvaluation()
  await mkdir(context.workFolder, { recursive: true, mode: 0o700 })
  const workFolder = await mkdtemp(join(context.workFolder, "rows-"))
  try {
    const environment = await createServerEnvironment(context, {
      namespace,
      rights: rightsOfCaller(caller),
      workFolder,
    })
    const id = context.newId("eval")
    const log: string[] = []
    const live = withoutRateLimitWait(config)
    const outcome = await runEvaluation(
      { id, namespace, target, config: live, attempt: 1, scope: { kind: "run" } },
      environment,
      {
        journal: createMemoryJournal(),
        signal,
        filesUrl: null,
        onProgress: () => {},
        onLog: (line) => void log.push(textOf(line)),
        onConditions: () => {},
      },
    )
    signal.throwIfAborted()
    const { status, message, progress, result } = outcome
    return { status, status_details: describeProgress(progress, message), result, logs: log.join("") }
  } finally {
    await rm(workFolder, { recursive: true, force: true })
  }
}

const textOf = ({ level, message }: JobLogLine) => `${level.toUpperCase().padEnd(5)} ${message}\n`

/** A person waits: unless the request says so, no call waits minutes for a rate limit to end. */
function withoutRateLimitWait(config: EvaluationConfigBody): EvaluationConfigBody {
  const { max_rate_limit_wait: wait } = config.params ?? {}
  return { ...config, params: { ...config.params, max_rate_limit_wait: wait ?? 0 } }
}

/** Rows that are written in the request; of a dataset only those that a limit lets through. */
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
