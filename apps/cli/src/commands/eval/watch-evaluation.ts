import { resolve } from "node:path"
import { explainJob, listScores, checkGates, checkResultsFolder, parseGate, type ScoreGate } from "@assay/evaluation"
import type { Client } from "@assay/client"
import { isFinalJobStatus, type EvaluationResult, type JobStatus } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../context.ts"
import type { ExitCode } from "../../exit-code.ts"
import { openClient } from "../../open-client.ts"
import { printable } from "@assay/schemas/printable"
import type { JsonOption } from "../action.ts"
import { print } from "../print.ts"
import { downloadFolder } from "./download-results.ts"
import { exitCodeOfRun, shownPath, writeJunit } from "./run-end.ts"
import {
  createProgressReporter,
  formatOutcome,
  type ProgressReporter,
  type ShownProgress,
} from "@assay/reports/terminal/evaluations"

export interface WatchOptions extends JsonOption {
  readonly gate?: readonly string[]
  readonly junit?: string
  readonly out?: string
}

/** `assay eval watch <job>`: follows a job to its end. Exit code 1 if the job or a gate fails. */
export async function watchEvaluation(context: Context, id: string, options: WatchOptions): Promise<ExitCode> {
  const gates = (options.gate ?? []).map(parseGate)
  const { json = false, junit } = options
  const out = options.out === undefined ? undefined : resolve(context.cwd, options.out)
  if (out !== undefined) await checkResultsFolder(out)
  const client = openClient(context)
  await followJob(context, client, id, createProgressReporter(context, options))
  return printEnd(context, client, id, { gates, junit, out, json })
}

/** Shows the progress of a job on a server until it ends. */
export async function followJob(
  { signal }: Context,
  client: Client,
  id: string,
  reporter: ProgressReporter,
): Promise<void> {
  let status: JobStatus | undefined
  try {
    for await (const { event, data } of client.evaluation.jobs.events(id, { signal })) {
      if (event === "progress") {
        const progress = progressOf(data)
        if (progress !== undefined) reporter.show(progress)
      }
      if (event === "condition") reporter.say(printable(`${String(data["title"])}: ${String(data["message"])}`))
      if (event === "log" && data["level"] === "error") reporter.say(printable(String(data["message"])))
      if (event === "status") {
        const next = statusOf(String(data["status"]))
        if (next !== status && !isFinalJobStatus(next)) reporter.say(`${id}: ${next}`)
        status = next
      }
    }
  } finally {
    reporter.end()
  }
}

export interface EndOptions {
  readonly gates: readonly ScoreGate[]
  /** Absolute path for a copy of the results. */
  readonly out: string | undefined
  readonly junit: string | undefined
  readonly json: boolean
}

/** Prints the outcome of a job that has ended on a server. Returns 1 if the job or a gate failed. */
export async function printEnd(
  context: Context,
  client: Client,
  id: string,
  { gates: limits, out, junit, json }: EndOptions,
): Promise<ExitCode> {
  const { signal } = context
  const { jobs } = client.evaluation
  const [job, { samples_processed: rows }] = await Promise.all([jobs.get(id, { signal }), jobs.status(id, { signal })])
  const result = await resultOf(() => jobs.result(id, { signal }))
  const status = statusOf(job.status)
  const { status_details, conditions, namespace, target, config } = job
  const { message } = status_details
  const gates = result === null ? [] : checkGates(result, limits)
  if (out !== undefined) await downloadFolder(context, client, job, out)
  if (junit !== undefined) {
    const ended = status === "COMPLETED" || status === "CANCELLED" ? status : "FAILED"
    await writeJunit(context, junit, { job, status: ended, message, result, conditions, gates })
  }
  const name = config.name ?? job.id
  const results = out === undefined ? {} : { results: shownPath(context, out) }
  const shown = { name, id, status, message, result, conditions, gates, ...results }
  const milliseconds = Date.parse(job.finished_at ?? job.updated_at) - Date.parse(job.started_at ?? job.created_at)
  await print(context, { json }, shown, () => {
    const { next } = explainJob({ id, namespace, status, status_details, conditions, target, config })
    return formatOutcome({ ...shown, scores: result === null ? null : listScores(result), rows, milliseconds, next })
  })
  return exitCodeOfRun({ status, gates, conditions, failed: status_details.samples_failed })
}

async function resultOf(get: () => Promise<EvaluationResult>): Promise<EvaluationResult | null> {
  try {
    return await get()
  } catch (error) {
    if (isAssayError(error, "not_found")) return null
    throw error
  }
}

/** Converts the status word of a server: the vendor's spelling is lower-case. */
function statusOf(word: string): JobStatus {
  return word.toUpperCase() as JobStatus
}

/** Reads the progress in an event of a server. Undefined if it has no row count. */
function progressOf(data: Readonly<Record<string, unknown>>): ShownProgress | undefined {
  const processed = data["processed"] ?? data["samples_processed"]
  const total = data["total"] ?? data["samples_total"]
  if (typeof processed !== "number") return undefined
  const { means, tokens } = data
  const failed = data["failed"] ?? data["samples_failed"]
  return {
    processed,
    total: typeof total === "number" ? total : null,
    failed: typeof failed === "number" ? failed : 0,
    means: numbersOf(means),
    tokens: { prompt: numbersOf(tokens)["prompt"] ?? 0, completion: numbersOf(tokens)["completion"] ?? 0 },
  }
}

function numbersOf(value: unknown): Readonly<Record<string, number>> {
  if (typeof value !== "object" || value === null) return {}
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, number] => typeof entry[1] === "number"),
  )
}
