import { isJsonObject } from "@assay/json"
import { AssayError, type ConversationCall } from "@assay/schemas"
import { conversations, type SourceRow } from "@assay/scoring"
import type { ReadCall, ToolReply } from "./tool-answer.ts"

/** The answers of a tool that are in the row. They are data, and no templates. */
export interface RowAnswers {
  readonly templates: readonly ReturnType<typeof conversations.templates.compile>[]
  /** Returns the reply to a call, given the calls before it. @throws `rows_invalid`, `template_error` */
  readonly replyTo: (
    call: Pick<ReadCall, "name" | "args">,
    item: SourceRow["item"],
    earlier: readonly ConversationCall[],
  ) => ToolReply
}

/** Maximum number of answers of a tool in a row. */
const MAX_ANSWERS = 1000

/** Compiles the template that gives the answers of a tool from the row. @throws `template_error` */
export function compileRowAnswers(source: string, location: string): RowAnswers {
  const template = conversations.templates.compile(source, location)
  return {
    templates: [template],
    replyTo({ name, args }, item, earlier) {
      const value = conversations.templates.json(template.evaluate({ item }), location)
      const fitting = readAnswers(value, location).filter(({ when }) => conversations.hasArguments(args, when))
      // Equal calls get the answers in their order, because a tool answers differently after something has changed.
      const before = earlier.filter((call) => call.name === name && isSameCall(call.arguments, args)).length
      const found = fitting[Math.min(before, fitting.length - 1)]
      if (found === undefined) return { error: "The tool has no answer for these arguments." }
      return found.error === undefined ? { result: found.result } : { error: found.error }
    },
  }
}

interface RowAnswer {
  readonly when: Readonly<Record<string, unknown>>
  readonly result: unknown
  readonly error: string | undefined
}

function readAnswers(value: unknown, location: string): readonly RowAnswer[] {
  if (!Array.isArray(value) || value.length > MAX_ANSWERS) {
    const given = Array.isArray(value) ? `a list of ${value.length}` : `of the type ${typeof value}`
    const rule = `give a list of up to ${MAX_ANSWERS} answers`
    throw new AssayError("rows_invalid", `${location}: the row's value is ${given}; ${rule}.`)
  }
  return value.map((answer: unknown, at) => {
    const { when = {}, result = null, error, ...rest } = isJsonObject(answer) ? answer : { "not an object": answer }
    const [other] = Object.keys(rest)
    if (other === undefined && isJsonObject(when) && (error === undefined || typeof error === "string")) {
      return { when, result, error }
    }
    const what =
      other === undefined ? "'when' is an object and 'error' a text" : `'${other.slice(0, 100)}' is none of them`
    const rule = `${location}: answer ${at + 1} of the row has \`when\`, \`result\` or \`error\``
    throw new AssayError("rows_invalid", `${rule}: ${what}.`)
  })
}

function isSameCall(made: unknown, args: ReadCall["args"]): boolean {
  const known = isJsonObject(made) ? made : {}
  return conversations.hasArguments(args, known) && conversations.hasArguments(known, args)
}
