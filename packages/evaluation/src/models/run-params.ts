import type { EvaluationParams } from "@assay/schemas"
import { isKeyName } from "@assay/schemas"

/** How a task is run, with every default filled in. */
export interface RunParams {
  /** Default 8. */
  readonly parallelism: number
  /** Default 3. */
  readonly maxRetries: number
  /** Longest wait of a call for rate limits in all, in milliseconds. Default 300,000. */
  readonly maxRateLimitWaitMs: number
  /** Milliseconds. Default 60,000. */
  readonly timeoutMs: number
  /** Default 0.1. */
  readonly maxFailedShare: number
  /** Default 1. */
  readonly repeats: number
  /** Absent: all rows. */
  readonly limit: number | undefined
  readonly isCached: boolean
  /** The field of a row that names its group. Absent: each row is a group of its own. */
  readonly clusterBy: string | undefined
  /** Sent with each request to the target. */
  readonly inference: Readonly<Record<string, unknown>>
}

/** How each call of a task is made: limits that targets, judges and remote metrics share. */
export type CallLimits = Pick<RunParams, "timeoutMs" | "maxRetries" | "maxRateLimitWaitMs">

/** The limits of each call of a task. */
export function callLimits({ timeoutMs, maxRetries, maxRateLimitWaitMs }: RunParams): CallLimits {
  return { timeoutMs, maxRetries, maxRateLimitWaitMs }
}

const MAX_TIMEOUT_MS = 86_400_000

/** A timeout in milliseconds, of seconds that nobody has checked: beyond 2^31 ms a timer fires at once. */
export function timeoutOf(seconds: number): number {
  return within(1, seconds * 1000, MAX_TIMEOUT_MS)
}

function within(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}

type Params = EvaluationParams & Readonly<Record<string, unknown>>

/** The parameters of a task; its own win over those of the configuration, and null counts as absent. */
export function runParams(config: Params = {}, task: Params = {}): RunParams {
  const either = <Name extends keyof EvaluationParams>(name: Name) => task[name] ?? config[name] ?? undefined
  return {
    parallelism: either("parallelism") ?? 8,
    maxRetries: either("max_retries") ?? 3,
    maxRateLimitWaitMs: (either("max_rate_limit_wait") ?? 300) * 1000,
    timeoutMs: timeoutOf(either("request_timeout") ?? 60),
    // Jobs that older versions stored can have any number.
    maxFailedShare: within(0, either("max_failed_share") ?? 0.1, 1),
    repeats: either("repeats") ?? 1,
    limit: either("limit_samples"),
    isCached: either("cache") ?? false,
    clusterBy: either("cluster_by"),
    inference: { ...inferenceParameters(config), ...inferenceParameters(task) },
  }
}

/** Parameters that are sent to a model from where parameters of the run stand too. Any other one goes through `extra`. */
export const SENT = [
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "max_tokens",
  "max_completion_tokens",
  "stop",
  "seed",
  "frequency_penalty",
  "presence_penalty",
  "repetition_penalty",
  "logit_bias",
  "logprobs",
  "top_logprobs",
  "response_format",
  "reasoning_effort",
  "chat_template_kwargs",
] as const

/** What of `params` is sent with a request: known names, and whatever `extra` holds but keys. Null means: not sent. */
export function inferenceParameters(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { extra } = params
  const entries = Object.entries(typeof extra === "object" && extra !== null ? extra : {})
  const sent: Record<string, unknown> = Object.fromEntries(entries.filter(([name]) => isForModel(name)))
  for (const name of SENT) if (params[name] !== undefined) sent[name] = params[name]
  return sent
}

/** Some clients put the key of a hub there: it is for whoever loads data, and no model's business. */
function isForModel(name: string): boolean {
  return !isKeyName(name.replace(/_secret$/, ""))
}
