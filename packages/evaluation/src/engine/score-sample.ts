import { AssayError, type EvaluationRow, isAssayError, type KeptJudgeAnswer, type ScoreValue } from "@assay/schemas"
import { type BoundMetric, judges, type ScoreOptions } from "@assay/scoring"
import type { Turns } from "./take-turns.ts"

export interface ScoreSampleOptions extends ScoreOptions {
  /** Lets others run between metrics that take long. */
  readonly turns?: Pick<Turns, "isLate" | "take">
  /** The stored answers of judges, by metric, from which scores are read again. Absent: judges are asked. */
  readonly storedAnswers?: EvaluationRow["judge_answers"]
  /** The stored answers of other jobs, by metric, with which the row was compared. */
  readonly storedCompared?: EvaluationRow["compared_with"]
}

/** The scores of a sample by the metrics of a task. */
export interface SampleScores {
  readonly scores: Record<string, Readonly<Record<string, ScoreValue>>>
  unreadable?: Record<string, NonNullable<MetricOutcome["unreadable"]>> | undefined
  labels?: Record<string, Readonly<Record<string, string>>> | undefined
  judgeAnswers?: Record<string, readonly KeptJudgeAnswer[]> | undefined
  comparedWith?: Record<string, string> | undefined
  /** By metric: the scores of each turn of a conversation. */
  turns?: Record<string, NonNullable<MetricOutcome["turns"]>> | undefined
  /** The failure of the first metric that failed. That metric has no scores. */
  failure?: AssayError | undefined
}

export type ScoreInput = Parameters<BoundMetric["score"]>[0]
type MetricOutcome = Awaited<ReturnType<BoundMetric["score"]>>

/** The scores of the metrics before `first`. */
interface ScoredSoFar {
  readonly found: SampleScores
  readonly first: number
}

/**
 * Scores a sample with one metric after another. Returns a promise only if a metric does, or if slow metrics have to let others
 * run. If a metric fails, the others still score. @throws the reason of the signal
 */
export function scoreSample(
  metrics: readonly BoundMetric[],
  input: ScoreInput,
  options: ScoreSampleOptions,
  { found, first }: ScoredSoFar = { found: { scores: {} }, first: 0 },
): SampleScores | Promise<SampleScores> {
  for (let at = first; at < metrics.length; at++) {
    const metric = metrics[at]
    if (metric === undefined) break
    try {
      const kept = metric.isRemote ? answersOf(metric, options) : undefined
      const outcome = metric.score(input, kept === undefined ? options : optionsOf(metric, kept, options))
      if (outcome instanceof Promise) {
        return outcome
          .then(
            (outcome) => put(found, metric, outcome, kept),
            (cause: unknown) => fail(found, metric, cause, options.signal),
          )
          .then(() => scoreSample(metrics, input, options, { found, first: at + 1 }))
      }
      put(found, metric, outcome, kept)
    } catch (cause) {
      fail(found, metric, cause, options.signal)
    }
    const { turns } = options
    if (at + 1 < metrics.length && turns?.isLate() === true) {
      return turns.take().then(() => scoreSample(metrics, input, options, { found, first: at + 1 }))
    }
  }
  return found
}

type KeptAnswers = ReturnType<typeof judges.keepAnswers>

function answersOf({ key }: BoundMetric, { storedAnswers }: ScoreSampleOptions): KeptAnswers {
  return storedAnswers === undefined ? judges.keepAnswers() : judges.readAnswers(storedAnswers[key] ?? [])
}

/** Returns the options of a metric that asks: its kept answers, and what its row was compared with. */
function optionsOf({ key }: BoundMetric, kept: KeptAnswers, options: ScoreSampleOptions): ScoreOptions {
  return { ...options, judgeAnswers: kept, comparedWith: options.storedCompared?.[key] }
}

function put(
  found: SampleScores,
  { key }: BoundMetric,
  { scores, unreadable, labels, comparedWith, turns }: MetricOutcome,
  kept: KeptAnswers | undefined,
): void {
  found.scores[key] = storable(scores)
  if (turns !== undefined) found.turns = { ...found.turns, [key]: turns }
  const answers = kept?.list(unreadable === undefined)
  if (answers !== undefined) found.judgeAnswers = { ...found.judgeAnswers, [key]: answers }
  if (unreadable !== undefined) found.unreadable = { ...found.unreadable, [key]: unreadable }
  if (comparedWith !== undefined) found.comparedWith = { ...found.comparedWith, [key]: comparedWith }
  if (labels !== undefined) found.labels = { ...found.labels, [key]: labels }
}

/** Returns scores as a journal can store them. JSON has no value for a number that is not finite: it would become null. */
export function storable(scores: MetricOutcome["scores"]): MetricOutcome["scores"] {
  let areStorable = true
  for (const name in scores) areStorable &&= isStorable(scores[name] ?? "NaN")
  if (areStorable) return scores
  return Object.fromEntries(
    Object.entries(scores).map(([name, value]) => [name, isStorable(value) ? value : ("NaN" as const)]),
  )
}

function isStorable(value: ScoreValue): boolean {
  return value === "NaN" || Number.isFinite(value)
}

function fail(found: SampleScores, { key }: BoundMetric, cause: unknown, signal: AbortSignal): void {
  signal.throwIfAborted()
  found.failure ??= isAssayError(cause) ? cause : unexpected(`Metric "${key}" failed`, cause)
}

/** Returns an error in the form of rows. */
export function errorOf({ code, message }: AssayError): NonNullable<EvaluationRow["error"]> {
  return { code, message }
}

/** Makes an `internal` error for a fault in our own code: it fails its row, not the job. */
export function unexpected(what: string, cause: unknown): AssayError {
  return new AssayError("internal", `${what} on this row: ${String(cause)}; report it.`, { cause })
}
