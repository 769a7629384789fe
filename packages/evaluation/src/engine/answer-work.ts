import { AssayError, isAssayError, type ConversationTurn, type EvaluationRow } from "@assay/schemas"
import type { AskedSample } from "../plan/ask.ts"
import type { TaskPlan } from "../plan/task-plan.ts"
import type { Work } from "./attempt/work-of-task.ts"
import { scoreInput } from "./score-input.ts"
import {
  errorOf,
  type SampleScores,
  scoreSample,
  type ScoreSampleOptions,
  type ScoreInput,
  storable,
  unexpected,
} from "./score-sample.ts"

/** The result of one piece of work: its line for the journal, and the failure if there is one. */
export interface Answered {
  readonly row: EvaluationRow
  readonly failure: AssayError | undefined
}

/**
 * Gets the sample of a row and its scores. Returns a promise only if something has to be awaited, because a promise for each row
 * costs more than most metrics. A row that fails for good becomes a line with an error. @throws the reason of the signal
 */
export function answerWork(task: TaskPlan, work: Work, options: ScoreSampleOptions): Answered | Promise<Answered> {
  const { row, line } = work
  if (line?.sample != null) return score(task, work, sampleOfLine(line, line.sample), options)
  if (row.fault !== undefined) {
    return failed(task, work, new AssayError("rows_invalid", row.fault))
  }
  const { ask } = task
  try {
    if (ask.kind === "given") return score(task, work, ask.take(row.item, work.repeat), options)
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

function score(
  task: TaskPlan,
  work: Work,
  asked: AskedSample,
  options: ScoreSampleOptions,
): Answered | Promise<Answered> {
  const input = scoreInput(work.row.item, asked, work.row.index)
  const found = scoreSample(work.due, input, options)
  if (found instanceof Promise) return found.then((found) => scored(task, work, input, found))
  return scored(task, work, input, found)
}

function scored(task: TaskPlan, work: Work, { sample, turns }: ScoreInput, found: SampleScores): Answered {
  const { row, repeat, attempt, line } = work
  const { scores, unreadable, labels, judgeAnswers, comparedWith, failure } =
    line === undefined ? found : joined(line, work, found)
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
      ...(judgeAnswers === undefined ? {} : { judge_answers: judgeAnswers }),
      ...(comparedWith === undefined ? {} : { compared_with: comparedWith }),
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
  const judgeAnswers = { ...Object.fromEntries(others(line.judge_answers)), ...found.judgeAnswers }
  const comparedWith = { ...Object.fromEntries(others(line.compared_with)), ...found.comparedWith }
  return {
    scores: { ...Object.fromEntries(others(line.scores)), ...found.scores },
    unreadable: Object.keys(unreadable).length === 0 ? undefined : unreadable,
    labels: Object.keys(labels).length === 0 ? undefined : labels,
    judgeAnswers: Object.keys(judgeAnswers).length === 0 ? undefined : judgeAnswers,
    comparedWith: Object.keys(comparedWith).length === 0 ? undefined : comparedWith,
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
