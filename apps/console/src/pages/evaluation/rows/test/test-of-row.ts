import { type RowAttempt, testRow } from "@assay/schemas"

/** A row of a job as a test: what goes into which file, and the command that does the same. */
export interface TestOfRow {
  /** A line of a dataset. */
  readonly line: string
  /** The lines of an evaluation file that ask the row again. */
  readonly file: string
  readonly command: string
}

/** The dataset that the lines and the command name. */
export const TEST_FILE = "tests.jsonl"

type TestableAttempt = Pick<RowAttempt, "task" | "row_index" | "repeat" | "item" | "output" | "conversation">

/** Returns a row of a job as a test: a conversation asks again what its user said, and its tools answer as they did. */
export function testOfRow(job: string, attempt: TestableAttempt): TestOfRow {
  const { task, row_index, repeat, item, output, conversation } = attempt
  const of = { task, row_index, repeat, item, turns: conversation?.turns, sample: { output_text: output } }
  const again = repeat === 0 ? "" : ` --repeat ${repeat}`
  return {
    line: JSON.stringify(testRow(of, job)),
    file: conversation === undefined ? LINES_OF_ANSWER : linesOf(toolsOf(conversation)),
    command: `assay import row ${job} ${wordOf(`${task}/${row_index}`)}${again} --out ${TEST_FILE}`,
  }
}

const LINES_OF_ANSWER = `data: ${TEST_FILE}
checks:
  - f1: "{{ item.output_text }}" # or what a right answer is
`

function linesOf(tools: readonly string[]): string {
  const defined = tools.map(
    (name) => `  - name: ${name}\n    answers: "{{ item.tool_answers['${name}'] | default([]) }}"\n`,
  )
  return [
    `data: ${TEST_FILE}\nturns: "{{ item.turns }}"\n`,
    ...(tools.length === 0 ? [] : ["tools:\n", ...defined]),
    "checks:\n",
    ...(tools.length === 0 ? [] : ['  - calls: { any_order: "{{ item.calls }}" }\n    as: same_calls\n']),
    '  - f1: "{{ item.output_text }}" # or what a right answer is\n    as: like_before\n',
  ].join("")
}

/** Returns the tools that were called. A name that models can't call is none of the file. */
function toolsOf({ turns }: NonNullable<TestableAttempt["conversation"]>): readonly string[] {
  const names = turns.flatMap(({ calls }) => calls.filter(({ refused }) => refused !== true).map(({ name }) => name))
  return [...new Set(names)].filter((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name)).toSorted()
}

/** Returns a text as one word of a shell command. */
function wordOf(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
