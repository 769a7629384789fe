import { AssayError, isAssayError, type ConversationTurn, type EvaluationRow, type ScoreValue } from "@assay/schemas"
import type { AskedSample } from "../plan/ask.ts"
import type { TaskPlan } from "../plan/task-plan.ts"
import { type BoundMetric, conversations, type ScoreOptions } from "@assay/scoring"
import type { Work } from "./attempt/work-of-task.ts"
import type { Turns } from "./take-turns.ts"

/** The result of one piece of work: its line for the journal, and the failure if there is one. */
export interface Answered {
  readonly row: EvaluationRow
  readonly failure: AssayError | undefined
}

export interface AnswerOptions extends ScoreOptions {
  /** Lets others run between metrics that take long. */
  readonly turns?: Pick<Turns, "isLate" | "take">
}

/**
 * Gets the sample of a row and its scores. Returns a promise only if something has to be awaited, because a promise for each row
 * costs more than most metrics. A row that fails for good becomes a line with an error. @throws the reason of the signal
 */
export function answerWork(task: TaskPlan, work: Work, options: AnswerOptions): Answered | Promise<Answered> {
  const { row, line } = work
  if (line?.sample != null) return score(task, work, sampleOfLine(line, line.sample), options)
  if (row.fault !== undefined) {
    return failed(task, work, new AssayError("rows_invalid", row.fault))
  }
  const { ask } = task
  try {
    if (ask.kind === "given") return score(task, work, ask.take(row.item), options)
    return ask.call(row.item, { ...options, repeat: work.repeat }).then(
      (sample) => score(task, work, sample, options),
      (cause: unknown) => failed(task, work, cause, options.signal),
    )
  } catch (cause) {
    return failed(task, work, cause, options.signal)
  }
}

/** Returns whether the work needs no request, so that its result comes at once. */
export function isImmediate(task: TaskPlan, { row, line, due }: Work): boolean {
  if (row.fault !== undefined && line === undefined) return true
  return (line !== undefined || task.ask.kind === "given") && !due.some(({ isRemote }) => isRemote)
}

function sampleOfLine({ turns }: EvaluationRow, sample: AskedSample): AskedSample {
  return turns === undefined ? sample : { ...sample, turns }
}

function score(task: TaskPlan, work: Work, asked: AskedSample, options: AnswerOptions): Answered | Promise<Answered> {
  const { item } = work.row
  const { turns, ...sample } = asked
  const input = turns === undefined ? { item, sample: asked } : conversations.input(item, sample, turns)
  const found = scoreSample(work.due, input, options)
  if (found instanceof Promise) return found.then((found) => scored(task, work, input, found))
  return scored(task, work, input, found)
}

function scored(task: TaskPlan, work: Work, { sample, turns }: ScoreInput, found: SampleScores): Answered {
  const { row, repeat, attempt, line } = work
  const { scores, unreadable, labels, failure } = line === undefined ? found : joined(line, work, found)
  // An earlier failure stays on the line until the last score has arrived.
  const left = line !== undefined && task.metrics.some(({ key }) => scores[key] === undefined) ? line.error : null
  const error = failure === undefined ? left : errorOf(failure)
  return {
    row: {
      task: task.name,
      row_index: row.index,
      repeat,
      attempt,
      item: row.item,
      sample,
      ...(turns === undefined ? {} : { turns: withScores(turns, found) }),
      scores,
      ...(unreadable === undefined ? {} : { unreadable }),
      ...(labels === undefined ? {} : { labels }),
      error,
    },
    failure,
  }
}

/** Adds the scores of each turn. */
function withScores(turns: readonly ConversationTurn[], { turns: found }: SampleScores): readonly ConversationTurn[] {
  if (found === undefined) return turns
  return turns.map((turn, at) => {
    const own = Object.entries(found).flatMap(([key, scores]) => {
      const ofTurn = scores[at]
      return ofTurn === undefined ? [] : [[key, storable(ofTurn)] as const]
    })
    return { ...turn, scores: { ...turn.scores, ...Object.fromEntries(own) } }
  })
}

/** Joins the new scores with those that the line already has of other metrics. */
function joined(line: EvaluationRow, { due }: Work, found: SampleScores): SampleScores {
  const isDue = new Set(due.map(({ key }) => key))
  const others = <T>(parts: Readonly<Record<string, T>> = {}) =>
    Object.entries(parts).filter(([key]) => !isDue.has(key))
  const unreadable = { ...Object.fromEntries(others(line.unreadable)), ...found.unreadable }
  const labels = { ...Object.fromEntries(others(line.labels)), ...found.labels }
  return {
    scores: { ...Object.fromEntries(others(line.scores)), ...found.scores },
    unreadable: Object.keys(unreadable).length === 0 ? undefined : unreadable,
    labels: Object.keys(labels).length === 0 ? undefined : labels,
    turns: found.turns,
    failure: found.failure,
  }
}

function failed(task: TaskPlan, { row, repeat, attempt }: Work, cause: unknown, signal?: AbortSignal): Answered {
  signal?.throwIfAborted()
  const failure = isAssayError(cause) ? cause : unexpected("Asking the target failed", cause)
  const { index, item } = row
  const error = errorOf(failure)
  return {
    row: { task: task.name, row_index: index, repeat, attempt, item, sample: null, scores: {}, error },
    failure,
  }
}

function errorOf({ code, message }: AssayError): NonNullable<EvaluationRow["error"]> {
  return { code, message }
}

/** The scores of a sample by the metrics of a task. */
interface SampleScores {
  readonly scores: Record<string, Readonly<Record<string, ScoreValue>>>
  unreadable?: Record<string, NonNullable<MetricOutcome["unreadable"]>> | undefined
  labels?: Record<string, Readonly<Record<string, string>>> | undefined
  /** By metric: the scores of each turn of a conversation. */
  turns?: Record<string, NonNullable<MetricOutcome["turns"]>> | undefined
  /** The failure of the first metric that failed. That metric has no scores. */
  failure?: AssayError | undefined
}

type MetricOutcome = Awaited<ReturnType<BoundMetric["score"]>>
type ScoreInput = Parameters<BoundMetric["score"]>[0]

/** The scores of the metrics before `first`. */
interface ScoredSoFar {
  readonly found: SampleScores
  readonly first: number
}

/**
 * Scores a sample with one metric after another. Returns a promise only if a metric does, or if slow metrics have to let others
 * run. If a metric fails, the others still score. @throws the reason of the signal
 */
function scoreSample(
  metrics: readonly BoundMetric[],
  input: ScoreInput,
  options: AnswerOptions,
  { found, first }: ScoredSoFar = { found: { scores: {} }, first: 0 },
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
          .then(() => scoreSample(metrics, input, options, { found, first: at + 1 }))
      }
      put(found, metric, outcome)
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

function put(found: SampleScores, { key }: BoundMetric, { scores, unreadable, labels, turns }: MetricOutcome): void {
  found.scores[key] = storable(scores)
  if (turns !== undefined) found.turns = { ...found.turns, [key]: turns }
  if (unreadable !== undefined) found.unreadable = { ...found.unreadable, [key]: unreadable }
  if (labels !== undefined) found.labels = { ...found.labels, [key]: labels }
}

/** Returns scores as a journal can store them. JSON has no value for a number that is not finite: it would become null. */
function storable(scores: MetricOutcome["scores"]): MetricOutcome["scores"] {
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

/** Makes an `internal` error for a fault in our own code: it fails its row, not the job. */
export function unexpected(what: string, cause: unknown): AssayError {
  return new AssayError("internal", `${what} on this row: ${String(cause)}; report it.`, { cause })
}
