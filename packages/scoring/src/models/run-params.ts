import { type EvaluationParams, isKeyName, MAX_SLICE_COLUMNS } from "@assay/schemas"

/** The parameters of a task, with every default. */
export interface RunParams {
  /** Default 8. */
  readonly parallelism: number
  /** Limits of each call of a task, for targets, judges and remote metrics. */
  readonly callLimits: CallLimits
  /** Default 0.1. */
  readonly maxFailedShare: number
  /** Rows that one worker takes at a time, if many workers run the job. Default 1000. */
  readonly shardRows: number
  /** Default 1. */
  readonly repeats: number
  /** Undefined: all rows. */
  readonly limit: number | undefined
  readonly isCached: boolean
  /** The field of a row with the name of its group. Undefined: each row is a group of its own. */
  readonly clusterBy: string | undefined
  /** Fields of the rows by whose values the scores are split, each once. */
  readonly slices: readonly string[]
  /** Parameters of each request to the target. */
  readonly inference: Readonly<Record<string, unknown>>
}

export interface CallLimits {
  /** Default 3. */
  readonly maxRetries: number
  /** Maximum number of milliseconds that a call waits for rate limits, in total. Default 300,000. */
  readonly maxRateLimitWaitMs: number
  /** Milliseconds. Default 60,000. */
  readonly timeoutMs: number
}

const MAX_TIMEOUT_MS = 86_400_000

/** Converts seconds to milliseconds, at most one day: a timer of more than 2^31 ms fires at once. */
export function timeoutOf(seconds: number): number {
  return within(1, seconds * 1000, MAX_TIMEOUT_MS)
}

function within(least: number, value: number, most: number): number {
  return Math.max(least, Math.min(value, most))
}

type Params = EvaluationParams & Readonly<Record<string, unknown>>

/** Returns the parameters of a task. They win over those of the configuration. Null counts as absent. */
export function runParams(config: Params = {}, task: Params = {}): RunParams {
  const either = <Name extends keyof EvaluationParams>(name: Name) => task[name] ?? config[name] ?? undefined
  return {
    parallelism: either("parallelism") ?? 8,
    callLimits: {
      maxRetries: either("max_retries") ?? 3,
      maxRateLimitWaitMs: (either("max_rate_limit_wait") ?? 300) * 1000,
      timeoutMs: timeoutOf(either("request_timeout") ?? 60),
    },
    // Jobs stored by older versions can have any number.
    maxFailedShare: within(0, either("max_failed_share") ?? 0.1, 1),
    shardRows: Math.max(1, either("shard_rows") ?? 1000),
    repeats: either("repeats") ?? 1,
    limit: either("limit_samples"),
    isCached: either("cache") ?? false,
    clusterBy: either("cluster_by"),
    // Jobs stored by older versions can have any number.
    slices: [...new Set(either("slices"))].slice(0, MAX_SLICE_COLUMNS),
    inference: { ...inferenceParameters(config), ...inferenceParameters(task) },
  }
}

/** Parameters of a model that are read besides the parameters of the run. All others have to be under `extra`. */
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

/** Returns the parameters to send with a request: known names, and the contents of `extra` without keys. Null is not sent. */
export function inferenceParameters(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { extra } = params
  const entries = Object.entries(typeof extra === "object" && extra !== null ? extra : {})
  const sent: Record<string, unknown> = Object.fromEntries(entries.filter(([name]) => isForModel(name)))
  for (const name of SENT) if (params[name] !== undefined) sent[name] = params[name]
  return sent
}

/** Returns whether a parameter may be sent to a model. Some clients put the key of a hub into `extra`. */
function isForModel(name: string): boolean {
  return !isKeyName(name.replace(/_secret$/, ""))
}
