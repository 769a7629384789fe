import type { EvaluationRow } from "../rows/evaluation-row.ts"
import type { ConversationCall, ConversationTurn } from "./conversation-row.ts"

/** The parts of a test row: a line of `rows.jsonl`, or the parts of it that are known. */
export type TestableRow = Pick<EvaluationRow, "task" | "row_index" | "repeat" | "item"> & {
  readonly turns?: readonly Pick<ConversationTurn, "user" | "output_text" | "calls">[] | undefined
  readonly sample?: Pick<NonNullable<EvaluationRow["sample"]>, "output_text"> | null | undefined
}

/** A call of a tool and its answer, as `answers: "{{ tool_answers.NAME }}"` of a tool reads it. */
export interface TestAnswer {
  readonly when: unknown
  readonly result?: unknown
  readonly error?: string
}

/** A row of a dataset: an object with any keys. */
export type TestRow = Readonly<Record<string, unknown>>

/**
 * Returns the row of a dataset that asks again what a row of a job was asked: its item, and for a conversation the messages of its user as
 * `turns`, the answers of its tools as `tool_answers`, and its calls as `calls`. `output_text` is its last answer, and `from` says where it is
 * from. Keys of the item that have these names are replaced.
 */
export function testRow({ item, turns, sample, ...of }: TestableRow, job?: string): TestRow {
  const from = {
    ...(job === undefined ? {} : { job }),
    task: of.task,
    row_index: of.row_index,
    repeat: of.repeat,
  }
  const output = { output_text: sample?.output_text ?? turns?.at(-1)?.output_text ?? null, from }
  return turns === undefined ? { ...item, ...output } : { ...item, ...askedAgain(turns), ...output }
}

/** Returns the keys of a row that hold a conversation: what its user says, and what its tools answer. */
export function askedAgain(turns: readonly Pick<ConversationTurn, "user" | "output_text" | "calls">[]): TestRow {
  // Nothing can be expected of malformed arguments.
  const calls = turns
    .flatMap((turn) => turn.calls)
    .filter(({ arguments: args, refused }) => typeof args === "object" && args !== null && refused !== true)
  return {
    turns: turns.map(({ user, output_text, calls: made }) => ({ user, output_text, calls: made })),
    tool_answers: toolAnswers(calls),
    calls: calls.map(({ name, arguments: args }) => ({ name, arguments: args })),
  }
}

/** Returns the answers of tools by the name of the tool. */
function toolAnswers(calls: readonly ConversationCall[]): Readonly<Record<string, readonly TestAnswer[]>> {
  const answers = new Map<string, TestAnswer[]>()
  for (const { name, arguments: when, result, error } of calls) {
    const answer = error === undefined ? { when, result: result ?? null } : { when, error }
    answers.set(name, [...(answers.get(name) ?? []), answer])
  }
  return Object.fromEntries(answers)
}
