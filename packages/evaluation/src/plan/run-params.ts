import type { EvaluationParams } from "@assay/schemas"
import { inferenceParameters } from "./inference-parameters.ts"

/** How a task is run, with every default filled in. */
export interface RunParams {
  /** Default 8. */
  readonly parallelism: number
  /** Default 3. */
  readonly maxRetries: number
  /** Milliseconds. Default 60,000. */
  readonly timeoutMs: number
  /** Default 0.1. */
  readonly maxFailedShare: number
  /** Default 1. */
  readonly repeats: number
  /** Absent: all rows. */
  readonly limit: number | undefined
  readonly isCached: boolean
  /** Of intervals that are drawn. Default 0. */
  readonly seed: number
  /** Sent with each request to the target. */
  readonly inference: Readonly<Record<string, unknown>>
}

type Params = EvaluationParams & Readonly<Record<string, unknown>>

/** The parameters of a task; its own win over those of the configuration, and null counts as absent. */
export function runParams(config: Params = {}, task: Params = {}): RunParams {
  const either = <Name extends keyof EvaluationParams>(name: Name) => task[name] ?? config[name] ?? undefined
  return {
    parallelism: either("parallelism") ?? 8,
    maxRetries: either("max_retries") ?? 3,
    timeoutMs: (either("request_timeout") ?? 60) * 1000,
    maxFailedShare: either("max_failed_share") ?? 0.1,
    repeats: either("repeats") ?? 1,
    limit: either("limit_samples"),
    isCached: either("cache") ?? false,
    seed: either("seed") ?? 0,
    inference: { ...inferenceParameters(config), ...inferenceParameters(task) },
  }
}
