import { type ConversationTool, invalidRequest } from "@assay/schemas"
import { conversations, type SourceRow } from "@assay/scoring"
import { MAX_PATH, parseStatePath, withValueAt } from "./state-path.ts"
import { type AnsweredCall, answeredCall, type ReadCall } from "./tool-answer.ts"

type Structure = ReturnType<typeof conversations.templates.compileStructure>
type GivenAnswer = Exclude<NonNullable<ConversationTool["answers"]>, string>[number]

/** An answer of a tool, with its templates. */
export interface CompiledAnswer {
  readonly when: Structure | undefined
  readonly result: Structure
  readonly error: Structure | undefined
  readonly delayMs: number
  readonly set: readonly (readonly [path: readonly string[], value: Structure])[]
}

/** @throws `template_error`, `invalid_request` that name the part */
export function compileAnswer(answer: GivenAnswer, location: string): CompiledAnswer {
  const { when, result = null, error, delay = 0, set = {} } = answer
  const path = location.split(".")
  if (error !== undefined && answer.result !== undefined) {
    throw invalidRequest([...path, "error"], "is beside a result; an answer has one of them.", "value_error")
  }
  const compile = (value: unknown, key: string) => conversations.templates.compileStructure(value, `${location}.${key}`)
  return {
    when: when === undefined ? undefined : compile(when, "when"),
    result: compile(result, "result"),
    error: error === undefined ? undefined : compile(error, "error"),
    delayMs: delay * 1000,
    set: Object.entries(set).map(([written, value]) => {
      const keys = parseStatePath(written)
      if (keys !== undefined) return [keys, compile(value, `set.${written}`)] as const
      const rule = `'${written}' is not a path of the state; write up to ${MAX_PATH} keys, such as orders.A1.`
      throw invalidRequest([...path, "set"], rule, "value_error")
    }),
  }
}

export function templatesOfAnswers(answers: readonly CompiledAnswer[]): Structure["templates"] {
  return answers.flatMap(({ when, result, error, set }) => [
    ...(when?.templates ?? []),
    ...result.templates,
    ...(error?.templates ?? []),
    ...set.flatMap(([, value]) => value.templates),
  ])
}

/** Answers a call with the first answer that fits. @throws `template_error` */
export function answerOf(
  answers: readonly CompiledAnswer[],
  call: ReadCall,
  item: SourceRow["item"],
  before: unknown,
): AnsweredCall {
  const values = { item, arguments: call.args, state: before }
  const found = answers.find(({ when }) => {
    return (
      when === undefined ||
      conversations.hasArguments(call.args, when.render(values) as Readonly<Record<string, unknown>>)
    )
  })
  if (found === undefined) return answeredCall(call, { error: "The tool has no answer for these arguments." }, before)
  const { result, error, delayMs, set } = found
  // Each value may read what the values before it have written.
  const state = set.reduce<unknown>(
    (at, [path, value]) => withValueAt(at, path, value.render({ ...values, state: at })),
    before,
  )
  const reply = error === undefined ? { result: result.render(values) } : { error: String(error.render(values)) }
  return answeredCall(call, reply, state, { delayMs })
}
