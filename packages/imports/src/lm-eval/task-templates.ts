import { fieldsOf, isObject } from "@assay/json"
import { AssayError, messageOf } from "@assay/schemas/errors"
import { compileTemplate } from "@assay/templates"
import type { LmEvalTask } from "./read-task.ts"
import { valueText } from "@assay/scoring"

type Row = Readonly<Record<string, unknown>>

/** The templates of a task over its rows. */
export interface TaskTemplates {
  /** The question, without description and examples. */
  readonly text: string
  /** The right answer, or its number among the choices. */
  readonly target: unknown
  /** Whether the target is the text of a choice, and never its number. */
  readonly isChoiceText: boolean
  /** Undefined: the task has no choices. */
  readonly choices: unknown
  readonly description: string
  /** The text between question and answer. */
  readonly delimiter: string
  /** The text between examples. */
  readonly shotDelimiter: string
}

/** Reads the templates of a task. A text that is the name of a column means the column. @throws `bad_document` with the line */
export function taskTemplates(task: LmEvalTask, columns: ReadonlySet<string>): TaskTemplates {
  const { fields } = task
  const templateOf = (key: string): unknown => {
    const value = fields[key]
    if (Array.isArray(value)) return value.map((one, index) => checked(one, `${key}[${index}]`, task.locationOf(key)))
    if (typeof value === "string" && columns.has(value)) return `{{ item[${JSON.stringify(value)}] }}`
    if (isObject(value))
      throw new AssayError("bad_document", `${task.locationOf(key)}: '${key}' is an object, which is not supported.`)
    return checked(value, key, task.locationOf(key))
  }
  const text = (key: string, otherwise: string): string => {
    const value = fields[key]
    return typeof value === "string" ? value : otherwise
  }
  const choices = fields["doc_to_choice"] === undefined ? undefined : templateOf("doc_to_choice")
  const looked = lookedUp(fields["doc_to_target"], choices)
  return {
    text: valueText(templateOf("doc_to_text")),
    target:
      looked === undefined
        ? templateOf("doc_to_target")
        : checked(looked, "doc_to_target", task.locationOf("doc_to_target")),
    isChoiceText: looked !== undefined,
    choices,
    description: withoutEnd(valueText(checked(text("description", ""), "description", task.locationOf("description")))),
    delimiter: text("target_delimiter", " "),
    shotDelimiter: text("fewshot_delimiter", "\n\n"),
  }
}

/** Matches `list.index(value)` as a whole template. */
const INDEX = /^\{\{\s*([^{}]+?)\.index\(([^{}()]+)\)\s*\}\}$/
const EXPRESSION = /^\{\{\s*([^{}]+?)\s*\}\}$/

/** Changes a target that looks up the number of the answer, which templates here can't, to one that is the text of the choice. */
function lookedUp(target: unknown, choices: unknown): string | undefined {
  const [, list, value] = typeof target === "string" ? (INDEX.exec(target) ?? []) : []
  const written = valueText(choices)
  const isList = Array.isArray(choices) && !/\{[{%#]/.test(written)
  const [, expression] = isList ? ["", written] : (EXPRESSION.exec(written) ?? [])
  if (list === undefined || value === undefined || expression === undefined) return undefined
  return `{% for one in ${list} %}{% if one == ${value} %}{{ (${expression})[loop.index0] }}{% endif %}{% endfor %}`
}

/** Jinja of the harness keeps a line feed at the end of a template. Here one of two is removed. */
function withEnd(template: string): string {
  return template.endsWith("\n") ? `${template}\n` : template
}

/** A description is never at the end of a template. */
function withoutEnd(template: string): string {
  return template.endsWith("\n\n") ? template.slice(0, -1) : template
}

function checked(value: unknown, key: string, location: string): unknown {
  if (typeof value !== "string") return value
  try {
    compileTemplate(value)
    return withEnd(value)
  } catch (error) {
    throw new AssayError(
      "bad_document",
      `${location}: '${key}' is a template that can't be read: ${messageOf(error)}`,
      { cause: error },
    )
  }
}

/** Renders the examples before a question. @throws `template_error` */
export function renderShots(
  { text, target, isChoiceText, choices, delimiter, shotDelimiter }: TaskTemplates,
  shots: readonly Row[],
): string {
  const shown = shots.map((row) => {
    const values = { ...row, item: row }
    const evaluate = (part: unknown): unknown =>
      typeof part === "string" ? compileTemplate(part).evaluate(values) : part
    const answer = evaluate(target)
    const options = Array.isArray(choices) ? choices.map(evaluate) : evaluate(choices)
    const chosen = Array.isArray(options) && !isChoiceText ? (options[answerIndex(answer)] ?? answer) : answer
    return `${valueText(evaluate(text))}${delimiter}${valueText(chosen)}${shotDelimiter}`
  })
  return shown.join("")
}

function answerIndex(answer: unknown): number {
  return typeof answer === "number" ? answer : /^\d+$/.test(String(answer)) ? Number(answer) : -1
}

/** Returns a template that renders to exactly this text. */
export function literalTemplate(text: string): string {
  return text.replaceAll(/\{[{%#]/g, (mark) => `{{ "${mark}" }}`)
}

/** Returns the columns of a row. */
export function columnsOf(row: unknown): ReadonlySet<string> {
  return new Set(Object.keys(fieldsOf(row)))
}
