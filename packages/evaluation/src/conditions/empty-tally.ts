import type { EvaluationRow, EvaluationSample } from "@assay/schemas"
import { createConditionTally } from "./condition-tally.ts"
import { formatShare, type Found } from "./unreadable-tally.ts"

/** The share of empty answers of a task from which on they are a condition. */
const EMPTY_SHARE = 0.05

/** Answers of the target that say nothing, by task. */
export interface EmptyTally {
  addRow(row: EvaluationRow): void
  conditions(): readonly Found[]
}

/** Every row passes through it, nearly all of them with text: so that way is short. */
export function createEmptyTally(now: () => number): EmptyTally {
  const tasks = new Map<string, { answers: number; readonly empty: ReturnType<typeof createConditionTally> }>()
  return {
    addRow({ task, row_index, sample }) {
      if (sample === null) return
      const tally = tasks.get(task) ?? { answers: 0, empty: createConditionTally("empty_answers") }
      tasks.set(task, tally)
      tally.answers += 1
      if (!isEmpty(sample)) return
      const ended = sample.finish_reason === null ? "" : ` (finish_reason ${sample.finish_reason})`
      const line = `an empty answer${ended}`
      tally.empty.add(
        { code: "empty_answers", message: line },
        { at: now(), place: `row ${row_index}`, lines: [line], isRow: true },
      )
    },
    conditions: () =>
      [...tasks]
        .filter(([, { answers, empty }]) => empty.count() > 0 && empty.count() / answers >= EMPTY_SHARE)
        .map(([task, { answers, empty }]) => {
          const share = formatShare(empty.count() / answers)
          const message = `${empty.count()} of ${answers} answers for task '${task}' (${share}) have no text and no tool call; they are scored as they are.`
          return { condition: empty.condition(() => message), firstSeen: empty.firstSeen() }
        }),
  }
}

/** A row that was given without any answer is not an empty one. */
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
