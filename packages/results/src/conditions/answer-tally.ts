import { answerEnd, type ConditionCode, type EvaluationRow, type EvaluationSample } from "@assay/schemas"
import type { PositionOf } from "./condition-findings.ts"
import { createConditionTally, type ConditionTally, type Found } from "./condition-tally.ts"

/** Counts answers of the target with a fault, for each task. */
export interface AnswerTally {
  addRow(row: Pick<EvaluationRow, "task" | "row_index" | "repeat" | "sample">): void
  conditions(): readonly Found[]
}

export interface TallyContext {
  /** Returns milliseconds since 1970, UTC. */
  readonly now: () => number
  readonly positionOf: PositionOf
}

/** A fault of single answers, which becomes a condition if it is frequent. */
interface AnswerFault {
  readonly code: ConditionCode
  /** The share of a task's answers from which the fault is a condition. */
  readonly share: number
  /** Returns the line of evidence; undefined for an answer without the fault. */
  readonly find: (sample: EvaluationSample) => string | undefined
  /** Ends the sentence about the number of answers. */
  readonly what: string
}

/** Answers without text and without tool calls. */
const EMPTY: AnswerFault = {
  code: "empty_answers",
  share: 0.05,
  find(sample) {
    if (!isEmpty(sample) || answerEnd(sample.finish_reason) === "filtered") return undefined
    return `an empty answer${sample.finish_reason === null ? "" : ` (finish_reason ${sample.finish_reason})`}`
  },
  what: "have no text and no tool call; they are scored as they are.",
}

/** Characters at the end of a truncated answer that are shown. */
const SHOWN = 200

/** Answers that `max_tokens` cut off. */
const TRUNCATED: AnswerFault = {
  code: "output_truncated",
  share: 0.1,
  find({ finish_reason: reason, output_text: text }) {
    if (answerEnd(reason) !== "cut") return undefined
    const end = (text ?? "").trim()
    return end === "" ? "an empty answer" : `… ${end.slice(-SHOWN)}`
  },
  what: "end at the token limit (finish_reason length, or another word for it).",
}

/** Answers that a content filter held back or ended. */
const FILTERED: AnswerFault = {
  code: "answers_filtered",
  share: 0.05,
  find({ finish_reason: reason, output_text: text }) {
    if (answerEnd(reason) !== "filtered") return undefined
    const end = (text ?? "").trim()
    return `finish_reason ${String(reason).slice(0, SHOWN)}: ${end === "" ? "an empty answer" : `… ${end.slice(-SHOWN)}`}`
  },
  what: "were held back or ended by a content filter; they are scored as they are.",
}

/** Returns the parts of an answer without which its faults, and their evidence, would be others. */
export function keepFault(sample: EvaluationSample): Pick<EvaluationSample, "output_text" | "finish_reason"> {
  const { output_text, finish_reason } = sample
  if (isEmpty(sample)) return { output_text: "", finish_reason }
  const end = answerEnd(finish_reason) === "complete" ? "" : (output_text ?? "").trim().slice(-SHOWN)
  return { output_text: end === "" ? null : end, finish_reason }
}

/** Returns the condition of an answer with a fault. */
export function faultOfAnswer(sample: EvaluationSample): ConditionCode | undefined {
  return [EMPTY, TRUNCATED, FILTERED].find(({ find }) => find(sample) !== undefined)?.code
}

export function createEmptyTally(context: TallyContext): AnswerTally {
  return createAnswerTally(EMPTY, context)
}

export function createTruncationTally(context: TallyContext): AnswerTally {
  return createAnswerTally(TRUNCATED, context)
}

export function createFilterTally(context: TallyContext): AnswerTally {
  return createAnswerTally(FILTERED, context)
}

function createAnswerTally({ code, share, find, what }: AnswerFault, { now, positionOf }: TallyContext): AnswerTally {
  const tasks = new Map<string, { answers: number; readonly faulty: ConditionTally }>()
  return {
    addRow({ task, row_index, repeat, sample }) {
      if (sample === null) return
      const tally = tasks.get(task) ?? { answers: 0, faulty: createConditionTally(code) }
      tasks.set(task, tally)
      tally.answers += 1
      const line = find(sample)
      if (line === undefined) return
      const position = positionOf({ task, row_index, repeat })
      const seen = { at: now(), position, location: `row ${row_index}`, lines: [line], isRow: true }
      tally.faulty.add({ code, message: line }, seen)
    },
    conditions: () =>
      [...tasks]
        .filter(([, { answers, faulty }]) => faulty.count() > 0 && faulty.count() / answers >= share)
        .map(([task, { answers, faulty }]) => {
          const part = formatShare(faulty.count() / answers)
          const message = `${faulty.count()} of ${answers} answers for task '${task}' (${part}) ${what}`
          return { condition: faulty.condition(() => message), ...faulty.found() }
        }),
  }
}

/** Returns whether an answer is empty. A row that was given without any answer does not have an empty one. */
function isEmpty({ output_text: text, response }: EvaluationSample): boolean {
  if (text === null ? response === null : /\S/.test(text)) return false
  return !callsTools(response)
}

function callsTools(response: unknown): boolean {
  const choices = field(response, "choices")
  const message = Array.isArray(choices) ? field(choices[0], "message") : response
  const calls = field(message, "tool_calls")
  return (Array.isArray(calls) && calls.length > 0) || field(message, "function_call") != null
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (Reflect.get(value, name) as unknown) : undefined
}

/** Formats a share in percent. A share above 0 is never shown as 0. */
export function formatShare(share: number): string {
  const percent = share * 100
  return percent > 0 && percent < 0.1 ? "< 0.1 %" : `${Number(percent.toFixed(1))} %`
}
