import { fieldsOf } from "@assay/json"
import { type ConversationTool, invalidRequest, isAssayError } from "@assay/schemas"
import { conversations, type SourceRow } from "@assay/scoring"
import { MAX_PATH, parseStatePath, withValueAt } from "./state-path.ts"
import { type AnsweredCall, answeredCall, type ReadCall, refusedCall } from "./tool-answer.ts"

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

/**
 * Answers a call with the first answer that fits. If a template needs an argument that the call leaves out, that is a fault of the model; if it fails on
 * the arguments in another way, the tool fails.
 * @throws `template_error` of a template that does not read the arguments
 */
export function answerOf(
  answers: readonly CompiledAnswer[],
  call: ReadCall,
  item: SourceRow["item"],
  before: unknown,
): AnsweredCall {
  const values = { item, arguments: call.args, state: before }
  const found = answers.find(({ when }) => when === undefined || doesFit(when, values))
  if (found === undefined) return answeredCall(call, { error: "The tool has no answer for these arguments." }, before)
  const { delayMs } = found
  try {
    const { reply, state } = renderAnswer(found, values)
    return answeredCall(call, reply, state, { delayMs })
  } catch (error) {
    const failed = failedOnArguments(error, templatesOfAnswers([found]))
    if (failed === undefined) throw error
    const missing = missingArgument(failed.template, call.args)
    if (missing !== undefined) return refusedCall(call, before, `The argument '${missing}' is missing.`, "malformed")
    return answeredCall(call, { fault: failed.why }, before, { delayMs })
  }
}

interface Values {
  readonly item: SourceRow["item"]
  readonly arguments: ReadCall["args"]
  readonly state: unknown
}

/** Returns whether an answer is for these arguments. One whose rule needs other arguments is not. */
function doesFit(when: Structure, values: Values): boolean {
  try {
    return conversations.hasArguments(values.arguments, when.render(values) as Readonly<Record<string, unknown>>)
  } catch (error) {
    if (failedOnArguments(error, when.templates) === undefined) throw error
    return false
  }
}

function renderAnswer({ result, error, set }: CompiledAnswer, values: Values) {
  // Each value may read what the values before it have written.
  const state = set.reduce<unknown>(
    (at, [path, value]) => withValueAt(at, path, value.render({ ...values, state: at })),
    values.state,
  )
  const reply = error === undefined ? { result: result.render(values) } : { error: textOrJson(error.render(values)) }
  return { reply, state }
}

/** Returns an error as text. A template that is only an argument gives its value, which can be any object. */
function textOrJson(error: unknown): string {
  return typeof error === "string" ? error : (JSON.stringify(error) ?? "")
}

type RowTemplate = Structure["templates"][number]

/** Returns the template that failed if it reads the arguments, and why without the names that exist: these are not for the model. */
function failedOnArguments(error: unknown, templates: readonly RowTemplate[]) {
  if (!isAssayError(error, "template_error")) return undefined
  const template = templates.find(({ name }) => name === error.context?.["template"])
  if (template?.template.reads.some(({ path: [first] }) => first === "arguments") !== true) return undefined
  return { template, why: error.message.split(";")[0]?.replace(/\.$/, "") ?? "" }
}

/** Returns the first argument that a template needs and a call leaves out, as a path. */
function missingArgument({ template }: RowTemplate, args: ReadCall["args"]): string | undefined {
  const read = template.reads.find(({ path: [first, ...rest], isOptional }) => {
    return first === "arguments" && rest.length > 0 && !isOptional && !hasPath(args, rest)
  })
  return read?.path.slice(1).join(".")
}

function hasPath(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true
  return typeof value === "object" && value !== null && Object.hasOwn(value, key) && hasPath(fieldsOf(value)[key], rest)
}
