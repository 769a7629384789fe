import { checkGates, type ScoreGate } from "@assay/evaluation"
import type { Client } from "@assay/client"
import type { EvaluationResult } from "@assay/schemas"
import { isAssayError } from "@assay/schemas/errors"
import type { Context } from "../../../context.ts"
import type { ExitCode } from "../../../exit-code.ts"
import type { JsonOption } from "../../action.ts"
import { print } from "../../print.ts"
import { exitCodeOfRun } from "../screen/exit-code-of-run.ts"
import { formatOutcome } from "../screen/format-outcome.ts"
import { shownPath } from "../screen/shown-path.ts"
import { writeJunit } from "../screen/write-junit.ts"
import { jobStatusOf } from "./job-status-of.ts"
import { fetchResults } from "./fetch-results.ts"

export interface TellEndOptions extends JsonOption {
  readonly gates: readonly ScoreGate[]
  /** Absolute: where the results are fetched to. */
  readonly out?: string | undefined
  readonly junit?: string | undefined
}

/** What a job of a server came to, on one screen; the answer is no where it failed, or a gate did. */
export async function tellEnd(
  context: Context,
  client: Client,
  id: string,
  { gates: limits, out, junit, json }: TellEndOptions,
): Promise<ExitCode> {
  const { signal } = context
  const { jobs } = client.evaluation
  const [job, told] = await Promise.all([jobs.get(id, { signal }), jobs.status(id, { signal })])
  const result = await resultOf(() => jobs.result(id, { signal }))
  const status = jobStatusOf(job.status)
  const { status_details, conditions, namespace, target, config } = job
  const { message } = status_details
  const gates = result === null ? [] : checkGates(result, limits)
  if (out !== undefined) await fetchResults(context, client, job, out)
  if (junit !== undefined) {
    const ended = status === "COMPLETED" || status === "CANCELLED" ? status : "FAILED"
    await writeJunit(context, junit, { job, status: ended, message, result, conditions, gates })
  }
  const name = config.name ?? job.id
  const results = out === undefined ? {} : { results: shownPath(context, out) }
  const shown = { name, id, status, message, result, conditions, gates, ...results }
  const milliseconds = Date.parse(job.finished_at ?? job.updated_at) - Date.parse(job.started_at ?? job.created_at)
  await print(context, { json: json === true }, shown, () =>
    formatOutcome({ ...shown, namespace, target, config, status_details, rows: told.samples_processed, milliseconds }),
  )
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
