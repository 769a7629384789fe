import { scoreInterval } from "@assay/reports"
import { resultScores } from "@assay/results"
import type { Registry } from "@assay/registry"
import type { WebhookEvent } from "@assay/job-store"
import {
  formatTimestamp,
  isAssayError,
  type EvaluationJob,
  type EvaluationResult,
  type JobVerdict,
} from "@assay/schemas"

/** The message of a webhook about a job that has ended. */
export interface WebhookMessage {
  /** The same for each try. */
  readonly id: string
  readonly type: "evaluation.job.ended"
  /** When the job ended. */
  readonly timestamp: string
  readonly data: {
    readonly workspace: string
    readonly job: string
    /** The name of the configuration, or the id of the job. */
    readonly name: string
    /** COMPLETED, FAILED or CANCELLED. */
    readonly status: string
    readonly message: string
    readonly attempt: number
    /** Null: the job has not completed, or nothing decides: it has no gates, and no condition puts its scores in doubt. */
    readonly verdict: JobVerdict | null
    readonly gates: readonly WebhookGate[]
    /** The first scores. Empty if the job was removed or restarted since. */
    readonly scores: readonly WebhookScore[]
    readonly scores_total: number
    /** The page of the job. Null if the server does not know its address. */
    readonly url: string | null
  }
}

interface WebhookGate {
  readonly name: string
  readonly limit: string
  /** Null if the score has no value. */
  readonly value: number | null
  /** Null: the score measures something else in the results with which the gate compares it. */
  readonly verdict: string | null
}

interface WebhookScore {
  /** `task.metric.score` */
  readonly name: string
  readonly value: number | null
  /** The 95 % interval; null if there is none. */
  readonly low: number | null
  readonly high: number | null
}

/** More make a message too large for chats. The result has all. */
const MAX_SCORES = 50

export interface MessageSources {
  readonly jobs: Pick<Registry["jobs"], "get" | "getResult">
  /** The address of the server without a slash at its end. Absent: messages have no links. */
  readonly publicUrl?: string | undefined
}

/** Describes the end of a job. Its scores are those of its record now, unless that has changed since. */
export async function describeJobEnd(
  event: WebhookEvent,
  { jobs, publicUrl }: MessageSources,
): Promise<WebhookMessage> {
  const { id, job: jobId, ended, at } = event
  const { workspace, status, message, attempt, gates, verdict } = ended
  const job = await unlessRemoved(jobs.get(jobId))
  const isSame = job !== undefined && job.status === status && timeOf(job) === at
  const result = isSame ? await unlessRemoved(jobs.getResult(jobId)) : undefined
  const scores = result === undefined ? [] : resultScores.list(result)
  return {
    id,
    type: "evaluation.job.ended",
    timestamp: formatTimestamp(at),
    data: {
      workspace,
      job: jobId,
      name: job?.config.name ?? jobId,
      status,
      message,
      attempt,
      verdict,
      gates: gates.map((gate) => ({
        name: gate.name,
        limit: gate.limit,
        value: numberOrNull(gate.value),
        verdict: gate.verdict,
      })),
      scores: scores.slice(0, MAX_SCORES).map(({ name, found }) => {
        const interval = scoreInterval(found)
        return { name, value: numberOrNull(found.value), low: interval?.low ?? null, high: interval?.high ?? null }
      }),
      scores_total: scores.length,
      url: publicUrl === undefined ? null : `${publicUrl}/jobs/${encodeURIComponent(jobId)}`,
    },
  }
}

function timeOf({ finished_at }: EvaluationJob): number {
  return Date.parse(finished_at ?? "")
}

function numberOrNull(
  value: EvaluationResult["tasks"][string]["metrics"][string]["scores"][string]["value"],
): number | null {
  return value === "NaN" ? null : value
}

/** Returns undefined for a record that is no longer there. */
async function unlessRemoved<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}
