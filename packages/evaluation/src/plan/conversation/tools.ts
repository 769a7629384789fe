import { createValueChecker, type JsonSchema, type SchemaRunner, type ValueChecker } from "@assay/contents"
import { type ConversationCall, type ConversationTool, invalidRequest, nearestNames } from "@assay/schemas"
import { conversations, type SourceRow } from "@assay/scoring"
import { compileRowAnswers, type RowAnswers } from "./row-answers.ts"
import type { ToolCall } from "./tool-calls.ts"
import { MAX_PATH, parseStatePath, withValueAt } from "./state-path.ts"

type Structure = ReturnType<typeof conversations.templates.compileStructure>

/** An answer of a tool, with its templates. */
interface CompiledAnswer {
  readonly when: Structure | undefined
  readonly result: Structure
  readonly error: Structure | undefined
  readonly delayMs: number
  readonly set: readonly (readonly [path: readonly string[], value: Structure])[]
}

export interface CompiledTool {
  readonly name: string
  /** What the model is told about it. */
  readonly told: Readonly<Record<string, unknown>>
  readonly parameters: JsonSchema | undefined
  readonly answers: readonly CompiledAnswer[]
  /** The answers are in the row. Undefined: they are in `answers`. */
  readonly ofRow: RowAnswers | undefined
}

/** @throws `template_error`, `invalid_request` that name the part */
export function compileTools(tools: readonly ConversationTool[], location: string): readonly CompiledTool[] {
  const seen = new Set<string>()
  return tools.map(({ name, description, parameters, answers }, at) => {
    const own = `${location}.${at}`
    if (seen.has(name)) {
      throw invalidRequest([...own.split("."), "name"], `'${name}' is the name of two tools.`, "value_error")
    }
    seen.add(name)
    return {
      name,
      told: {
        type: "function",
        function: {
          name,
          ...(description === undefined ? {} : { description }),
          parameters: parameters ?? { type: "object", properties: {} },
        },
      },
      parameters,
      answers:
        typeof answers === "string"
          ? []
          : answers.map((answer, index) => compileAnswer(answer, `${own}.answers.${index}`)),
      ofRow: typeof answers === "string" ? compileRowAnswers(answers, `${own}.answers`) : undefined,
    }
  })
}

type WrittenAnswer = Exclude<ConversationTool["answers"], string>[number]

function compileAnswer(answer: WrittenAnswer, location: string): CompiledAnswer {
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

/** Returns the templates of all tools. */
export function templatesOfTools(tools: readonly CompiledTool[]): Structure["templates"] {
  return tools.flatMap(({ answers, ofRow }) => [
    ...(ofRow?.templates ?? []),
    ...answers.flatMap(({ when, result, error, set }) => [
      ...(when?.templates ?? []),
      ...result.templates,
      ...(error?.templates ?? []),
      ...set.flatMap(([, value]) => value.templates),
    ]),
  ])
}

/** The outcome of a call. */
export interface AnsweredCall {
  readonly call: ConversationCall
  /** The text that the model gets. */
  readonly content: string
  /** The state after the call. */
  readonly state: unknown
  readonly delayMs: number
  /** Why no tool was called. Undefined: one was. */
  readonly fault?: "malformed" | "unknown"
}

/** Where in a conversation a tool is called. */
export interface CallContext {
  readonly item: SourceRow["item"]
  readonly state: unknown
  /** The calls of the conversation before it. */
  readonly earlier: readonly ConversationCall[]
}

export interface ToolBox {
  readonly tools: readonly CompiledTool[]
  /** Answers a call. Faults of the model go back to it as errors. @throws `template_error`, `rows_invalid` */
  readonly answer: (call: ToolCall, at: CallContext) => Promise<AnsweredCall>
}

/** Opens tools, whose schemas are compiled when they are first needed. */
export function openTools(tools: readonly CompiledTool[], schemas: SchemaRunner): ToolBox {
  const checkers = new Map<string, ValueChecker>()
  const checkerOf = ({ name, parameters }: CompiledTool): ValueChecker | undefined => {
    if (parameters === undefined) return undefined
    const checker = checkers.get(name) ?? createValueChecker(parameters, schemas)
    checkers.set(name, checker)
    return checker
  }
  return {
    tools,
    async answer(call, context) {
      const { state } = context
      const tool = tools.find(({ name }) => name === call.name)
      if (tool === undefined) return refused(call, state, unknownTool(call.name, tools), "unknown")
      if (call.args === undefined) {
        return refused(call, state, "The arguments are not a JSON object, or are too long.", "malformed")
      }
      const found = await checkerOf(tool)?.check(JSON.stringify(call.args))
      if (found != null) {
        return refused(call, state, `The arguments do not satisfy the schema: ${faultText(found)}`, "malformed")
      }
      return answerOf(tool, { name: call.name, args: call.args }, context)
    },
  }
}

type Faults = NonNullable<Awaited<ReturnType<ValueChecker["check"]>>>

function faultText(faults: Faults): string {
  const [first] = faults
  return first === undefined
    ? ""
    : `${first.pointer === "" ? "" : `${first.pointer}: `}${first.message}`.slice(0, MAX_SHOWN)
}

function unknownTool(name: string, tools: readonly CompiledTool[]): string {
  const names = tools.map((tool) => tool.name)
  const near = nearestNames(name, names)
  const hint = near.length > 0 ? ` Did you mean '${near.join("' or '")}'?` : ` The tools are: ${names.join(", ")}.`
  return `There is no tool '${name}'.${names.length === 0 ? "" : hint}`
}

/** Characters of malformed arguments, and of the faults of arguments, that are kept. */
const MAX_SHOWN = 1000

function refused(call: ToolCall, state: unknown, error: string, fault: "malformed" | "unknown"): AnsweredCall {
  const shown = call.args ?? call.text.slice(0, MAX_SHOWN)
  return { call: { name: call.name, arguments: shown, error }, content: errorText(error), state, delayMs: 0, fault }
}

interface NamedArguments {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

function answerOf(
  { answers, ofRow }: CompiledTool,
  { name, args }: NamedArguments,
  { item, state: before, earlier }: CallContext,
): AnsweredCall {
  const values = { item, arguments: args, state: before }
  const fits = ({ when }: CompiledAnswer) =>
    when === undefined || conversations.hasArguments(args, when.render(values) as Readonly<Record<string, unknown>>)
  const found = ofRow === undefined ? answers.find(fits) : ofRow.choose({ name, args }, item, earlier)
  if (found === undefined) {
    const error = "The tool has no answer for these arguments."
    return { call: { name, arguments: args, error }, content: errorText(error), state: before, delayMs: 0 }
  }
  const { result, error, delayMs, set } = found
  const state = set.reduce<unknown>(
    (state, [path, value]) => withValueAt(state, path, value.render({ ...values, state })),
    before,
  )
  if (error !== undefined) {
    const message = String(error.render(values))
    return { call: { name, arguments: args, error: message }, content: errorText(message), state, delayMs }
  }
  const value = result.render(values)
  const { text, isCut } = cutText(typeof value === "string" ? value : JSON.stringify(value ?? null))
  const call = { name, arguments: args, result: isCut ? text : (value ?? null) }
  return { call, content: text, state, delayMs }
}

function errorText(error: string): string {
  return cutText(JSON.stringify({ error })).text
}

/** Bytes of an answer of a tool that reach the model. */
const MAX_ANSWER = 1024 * 1024

/** Cuts a text at the end of a character. */
function cutText(text: string): { readonly text: string; readonly isCut: boolean } {
  if (Buffer.byteLength(text) <= MAX_ANSWER) return { text, isCut: false }
  const bytes = Buffer.from(text)
  let end = MAX_ANSWER
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return { text: bytes.toString("utf8", 0, end), isCut: true }
}
