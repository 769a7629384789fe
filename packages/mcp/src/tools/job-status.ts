import type { Client } from "@assay/client"
import { resultScores } from "@assay/results"
import { scoreInterval } from "@assay/reports"
import { type EvaluationResult, isAssayError, isFinalJobStatus, readGateStates } from "@assay/schemas"
import type { EvaluationJob, JobStatus } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import { boundItems, cutTexts, withNotes } from "../answers/bound-answer.ts"
import { defineTool, type ToolContext } from "../tool.ts"
import { jobField, notesField } from "./fields.ts"

/** Clients of assistants give up after a minute. */
const MAX_WAIT_SECONDS = 45
const POLL_MS = 1000
const MAX_SCORES = 60
const OrNull = <T extends ReturnType<typeof Type.Number>>(schema: T) => Type.Union([schema, Type.Null()])

export const jobStatus = defineTool({
  name: "job_status",
  title: "Status of a job",
  description:
    "Returns the status of an evaluation job, its rows so far, the conditions that were found, and after its end the scores with their 95 % intervals and the verdicts of its gates. With wait_seconds, waits for the end of the job. COMPLETED, FAILED and CANCELLED are final.",
  effect: "reads",
  input: Type.Object(
    {
      job: jobField(),
      wait_seconds: Type.Integer({
        minimum: 0,
        maximum: MAX_WAIT_SECONDS,
        default: 0,
        description: "How long to wait for the end of the job before answering.",
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object({
    job: Type.String(),
    workspace: Type.String(),
    status: Type.String(),
    is_final: Type.Boolean(),
    message: Type.String(),
    rows_done: Type.Integer(),
    rows_total: Type.Union([Type.Integer(), Type.Null()], { description: "Null until the rows are counted." }),
    rows_failed: Type.Integer(),
    scores: Type.Array(
      Type.Object({
        score: Type.String({ description: "`task.metric.score`" }),
        value: Type.Unknown({ description: "A number, or the text NaN." }),
        low: OrNull(Type.Number()),
        high: OrNull(Type.Number()),
        rows: OrNull(Type.Number()),
      }),
      { description: "Empty until the job has ended." },
    ),
    gates: Type.Array(
      Type.Object({
        gate: Type.String(),
        verdict: Type.String({
          description:
            "PASS, FAIL, INCONCLUSIVE, or NO VERDICT for a score that measures something else in the results with which the gate compares it.",
        }),
      }),
    ),
    conditions: Type.Array(Type.Object({ code: Type.String(), title: Type.String(), count: Type.Integer() }), {
      description: "explain_job has their evidence and remedies.",
    }),
    notes: notesField,
  }),
  run: async ({ job, wait_seconds }, context) => {
    const record = await waitForEnd(job, wait_seconds, context)
    const { status, status_details: details, conditions } = record
    const isFinal = isFinalJobStatus(status)
    const scores = isFinal ? await scoresOf(context.client, job, context.signal) : []
    const left = scores.length - MAX_SCORES
    const found = conditions.map(({ code, title, count }) => ({ code: code, title, count }))
    const { kept, notes } = boundItems(found, { noun: "condition", rest: () => "explain_job has more." })
    return {
      job,
      workspace: record.namespace,
      status,
      is_final: isFinal,
      message: String(cutTexts(details.message)),
      rows_done: details.samples_processed ?? 0,
      rows_total: details.samples_total ?? null,
      rows_failed: details.samples_failed ?? 0,
      scores: scores.slice(0, MAX_SCORES),
      gates: readGateStates(details.gates).map(({ name, limit, verdict }) => ({
        gate: `${name} ${limit}`,
        verdict: verdict ?? "NO VERDICT",
      })),
      conditions: [...kept],
      ...withNotes(notes, left > 0 ? [`${left} more scores are left out; the report of the job has them.`] : []),
    }
  },
})

/** Returns the job when it has ended, or after some seconds as it is. */
async function waitForEnd(
  id: string,
  seconds: number,
  context: ToolContext,
): Promise<EvaluationJob & { status: JobStatus }> {
  const { client, sleep, signal } = context
  for (let waits = 0; ; waits += 1) {
    const job = await client.evaluation.jobs.get(id, { signal })
    const status = job.status.toUpperCase() as JobStatus
    if (waits >= seconds || isFinalJobStatus(status)) return { ...job, status }
    await sleep(POLL_MS, signal)
  }
}

/** Lists the scores of a job that has ended; none if it has no results. */
async function scoresOf({ evaluation }: Client, id: string, signal: AbortSignal) {
  const result = await evaluation.jobs.result(id, { signal }).catch((error: unknown): EvaluationResult | null => {
    if (isAssayError(error, "not_found")) return null
    throw error
  })
  if (result === null) return []
  return resultScores.list(result).map(({ name, found }) => {
    const interval = scoreInterval(found)
    const value: unknown = found.value
    const [low, high] = [interval?.low ?? null, interval?.high ?? null]
    return { score: name, value, low, high, rows: found.stats?.scored ?? null }
  })
}
