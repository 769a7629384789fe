import { isJsonObject } from "@assay/json"
import { AssayError, type ConversationCall } from "@assay/schemas"
import { conversations, type SourceRow } from "@assay/scoring"

type Structure = ReturnType<typeof conversations.templates.compileStructure>

/** An answer of a tool that a row has. It is data, and no template. */
interface RowAnswer {
  readonly when: Structure
  readonly result: Structure
  readonly error: Structure | undefined
  readonly delayMs: number
  readonly set: readonly []
}

/** The answers of a tool that are in the row. */
export interface RowAnswers {
  readonly templates: Structure["templates"]
  /** Returns the answer for a call, or undefined if none fits. @throws `rows_invalid`, `template_error` */
  readonly choose: (
    call: MadeCall,
    item: SourceRow["item"],
    earlier: readonly ConversationCall[],
  ) => RowAnswer | undefined
}

interface MadeCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** Maximum number of answers of a tool in a row. */
const MAX_ANSWERS = 1000

/** Compiles the template that gives the answers of a tool from the row. @throws `template_error` */
export function compileRowAnswers(source: string, location: string): RowAnswers {
  const template = conversations.templates.compile(source, location)
  return {
    templates: [template],
    choose({ name, args }, item, earlier) {
      const value = conversations.templates.json(template.evaluate({ item }), location)
      const fitting = readAnswers(value, location).filter(({ when }) => conversations.hasArguments(args, when))
      // Equal calls get the answers in their order, because a tool answers differently after something has changed.
      const before = earlier.filter((call) => call.name === name && isSameCall(call.arguments, args)).length
      const found = fitting[Math.min(before, fitting.length - 1)]
      return found === undefined ? undefined : answerOf(found)
    },
  }
}

interface ReadAnswer {
  readonly when: Readonly<Record<string, unknown>>
  readonly result: unknown
  readonly error: string | undefined
}

function readAnswers(value: unknown, location: string): readonly ReadAnswer[] {
  if (!Array.isArray(value) || value.length > MAX_ANSWERS) {
    const given = Array.isArray(value) ? `a list of ${value.length}` : `of the type ${typeof value}`
    throw new AssayError(
      "rows_invalid",
      `${location}: the row's value is ${given}; give a list of up to ${MAX_ANSWERS} answers.`,
    )
  }
  return value.map((answer: unknown, at) => {
    const { when = {}, result = null, error, ...rest } = isJsonObject(answer) ? answer : { "not an object": answer }
    const [other] = Object.keys(rest)
    if (other === undefined && isJsonObject(when) && (error === undefined || typeof error === "string")) {
      return { when, result, error }
    }
    const what =
      other === undefined ? "'when' is an object and 'error' a text" : `'${other.slice(0, 100)}' is none of them`
    throw new AssayError(
      "rows_invalid",
      `${location}: answer ${at + 1} of the row has \`when\`, \`result\` or \`error\`: ${what}.`,
    )
  })
}

function answerOf({ when, result, error }: ReadAnswer): RowAnswer {
  return {
    when: constant(when),
    result: constant(result),
    error: error === undefined ? undefined : constant(error),
    delayMs: 0,
    set: [],
  }
}

function constant(value: unknown): Structure {
  return { templates: [], render: () => value }
}

function isSameCall(made: unknown, args: MadeCall["args"]): boolean {
  const known = isJsonObject(made) ? made : {}
  return conversations.hasArguments(args, known) && conversations.hasArguments(known, args)
}
