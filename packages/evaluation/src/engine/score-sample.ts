import { AssayError, isAssayError, type ScoreValue } from "@assay/schemas"
import type { BoundMetric, MetricOutcome, ScoreInput, ScoreOptions } from "../plan/task-plan.ts"
import type { Turns } from "./take-turns.ts"

/** What the metrics of a task said of a sample. */
export interface SampleScores {
  readonly scores: Record<string, Readonly<Record<string, ScoreValue>>>
  unreadable?: Record<string, NonNullable<MetricOutcome["unreadable"]>>
  labels?: Record<string, Readonly<Record<string, string>>>
  /** Of the first metric that failed: it has no scores. */
  failure?: AssayError
}

export interface ScoreSampleOptions extends ScoreOptions {
  readonly turns?: Pick<Turns, "isLate" | "take">
}

/**
 * Asks one metric after another. Answers at once where all of them do, since a promise for each row costs more than most
 * metrics; metrics that cost much let others have their turn. A metric that fails keeps no other from its scores. @throws the reason of the signal
 */
export function scoreSample(
  metrics: readonly BoundMetric[],
  input: ScoreInput,
  options: ScoreSampleOptions,
  found: SampleScores = { scores: {} },
  first = 0,
): SampleScores | Promise<SampleScores> {
  for (let at = first; at < metrics.length; at++) {
    const metric = metrics[at]
    if (metric === undefined) break
    try {
      const outcome = metric.score(input, options)
      if (outcome instanceof Promise) {
        return outcome
          .then(
            (outcome) => put(found, metric, outcome),
            (cause: unknown) => fail(found, metric, cause, options.signal),
          )
          .then(() => scoreSample(metrics, input, options, found, at + 1))
      }
      put(found, metric, outcome)
    } catch (cause) {
      fail(found, metric, cause, options.signal)
    }
    const { turns } = options
    if (at + 1 < metrics.length && turns?.isLate() === true) {
      return turns.take().then(() => scoreSample(metrics, input, options, found, at + 1))
    }
  }
  return found
}

function put(found: SampleScores, { key }: BoundMetric, { scores, unreadable, labels }: MetricOutcome): void {
  found.scores[key] = scores
  if (unreadable !== undefined) found.unreadable = { ...found.unreadable, [key]: unreadable }
  if (labels !== undefined) found.labels = { ...found.labels, [key]: labels }
}

function fail(found: SampleScores, { key }: BoundMetric, cause: unknown, signal: AbortSignal): void {
  signal.throwIfAborted()
  found.failure ??= isAssayError(cause) ? cause : unexpected(`Metric "${key}" failed`, cause)
}

/** A fault of ours spoils its row, and not the job. */
export function unexpected(what: string, cause: unknown): AssayError {
  return new AssayError("internal", `${what} on this row: ${String(cause)}; report it.`, { cause })
}
