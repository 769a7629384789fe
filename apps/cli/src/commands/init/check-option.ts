import { printable } from "@assay/schemas"
import { AssayError } from "@assay/schemas/errors"
import { parseStructured } from "@assay/validation"
import { JUDGE_QUESTIONS, REFERENCE } from "./judge-questions.ts"

export interface CheckContext {
  /** The template of the expected answer. Undefined: there is none. */
  readonly expected: string | undefined
  /** The model that judges, as in the file. */
  readonly judge: string | object | undefined
}

/**
 * Reads a check: a limit (`latency < 2s`), a name with a value (`equals: {{ answer }}`), or the name of a question for a judge.
 * @throws `bad_usage` for a question without a judge or an expected answer
 */
export function checkOfOption(text: string, { expected, judge }: CheckContext): unknown {
  const question = Object.hasOwn(JUDGE_QUESTIONS, text) ? JUDGE_QUESTIONS[text] : undefined
  if (question !== undefined) {
    if (judge === undefined)
      throw new AssayError("bad_usage", `'${text}' asks a judge: name one with --judge URL#NAME.`)
    if (question.ask.includes(REFERENCE) && expected === undefined) {
      const message = `'${text}' compares with an expected answer, and the rows have no column that is called like one: write the check into the file yourself.`
      throw new AssayError("bad_usage", message)
    }
    return { name: text, judge: { ask: question.ask.replace(REFERENCE, expected ?? ""), model: judge } }
  }
  const [, name, value] = /^([\w-]+)\s*:\s*([^]+)$/.exec(text.trim()) ?? []
  if (name === undefined || value === undefined) return text.trim()
  return { [name]: valueOf(value, text) }
}

/** Returns the value of a check: a template or a text as it is, and anything that begins like JSON as JSON or YAML. */
function valueOf(value: string, text: string): unknown {
  if (/^\{[{%]/.test(value) || !/^[[{"']/.test(value)) return value
  try {
    return parseStructured(value, `--check '${printable(text)}'`)
  } catch (cause) {
    throw new AssayError("bad_usage", `--check '${printable(text)}' has a value that is not JSON or YAML.`, { cause })
  }
}
