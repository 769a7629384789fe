import { AssayError, isAssayError, type EvaluationRow, type EvaluationSample } from "@assay/schemas"
import type { OnRetry, TaskPlan } from "../plan/task-plan.ts"
import { scoreSample, unexpected, type SampleScores } from "./score-sample.ts"
import type { Turns } from "./take-turns.ts"
import type { Work } from "./work.ts"

/** What came of a piece of work: its line, and why it failed. */
export interface Answered {
  readonly row: EvaluationRow
  readonly failure: AssayError | undefined
}

export interface AnswerOptions {
  readonly signal: AbortSignal
  readonly onRetry: OnRetry
  /** Taken between metrics that cost much. */
  readonly turns?: Pick<Turns, "isLate" | "take">
}

/**
 * Gets the sample and its scores. Answers at once where nobody has to be waited for, else with a promise; what fails for good
 * is a line with an error. @throws the reason of the signal
 */
export function answerWork(task: TaskPlan, work: Work, options: AnswerOptions): Answered | Promise<Answered> {
  const { row, line } = work
  if (line?.sample != null) return score(task, work, line.sample, options)
  if (row.fault !== undefined) {
    return failed(task, work, new AssayError("rows_invalid", row.fault))
  }
  const { ask } = task
  try {
    if (ask.kind === "given") return score(task, work, ask.take(row.item), options)
    return ask.call(row.item, { repeat: work.repeat, ...options }).then(
      (sample) => score(task, work, sample, options),
      (cause: unknown) => failed(task, work, cause, options.signal),
    )
  } catch (cause) {
    return failed(task, work, cause, options.signal)
  }
}

/** Whether an answer comes at once. */
export function isImmediate(task: TaskPlan, { row, line, due }: Work): boolean {
  if (row.fault !== undefined && line === undefined) return true
  return (line !== undefined || task.ask.kind === "given") && !due.some(({ isRemote }) => isRemote)
}

function score(
  task: TaskPlan,
  work: Work,
  sample: EvaluationSample,
  options: AnswerOptions,
): Answered | Promise<Answered> {
  const found = scoreSample(work.due, { item: work.row.item, sample }, options)
  if (found instanceof Promise) return found.then((found) => scored(task, work, sample, found))
  return scored(task, work, sample, found)
}

function scored(task: TaskPlan, work: Work, sample: EvaluationSample, found: SampleScores): Answered {
  const { row, repeat, attempt, line } = work
  const { scores, unreadable, labels, failure } = line === undefined ? found : joined(line, work, found)
  // An earlier failure stands until the last score is there.
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
      scores,
      ...(unreadable === undefined ? {} : { unreadable }),
      ...(labels === undefined ? {} : { labels }),
      error,
    },
    failure,
  }
}

/** What the line has of other metrics stays. */
function joined(line: EvaluationRow, { due }: Work, found: SampleScores): SampleScores {
  const isDue = new Set(due.map(({ key }) => key))
  const others = <T>(parts: Readonly<Record<string, T>> = {}) =>
    Object.entries(parts).filter(([key]) => !isDue.has(key))
  const [unreadable, labels] = [
    { ...Object.fromEntries(others(line.unreadable)), ...found.unreadable },
    { ...Object.fromEntries(others(line.labels)), ...found.labels },
  ]
  return {
    scores: { ...Object.fromEntries(others(line.scores)), ...found.scores },
    ...(Object.keys(unreadable).length === 0 ? {} : { unreadable }),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(found.failure === undefined ? {} : { failure: found.failure }),
  }
}

function failed(task: TaskPlan, { row, repeat, attempt }: Work, cause: unknown, signal?: AbortSignal): Answered {
  signal?.throwIfAborted()
  const failure = isAssayError(cause) ? cause : unexpected("Asking failed", cause)
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
