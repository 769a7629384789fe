import { readContent, toolCallsOf } from "@assay/inference"
import { AssayError } from "@assay/schemas"
import { isJsonObject, parseUniqueJson, fieldsOf, listOf } from "@assay/json"
import { valueText } from "../../rows/value-text.ts"
import type { ScoreInput } from "../bound-metric.ts"

const SPEAKERS = new Map([
  ["human", "User"],
  ["user", "User"],
  ["ai", "Assistant"],
  ["assistant", "Assistant"],
  ["tool", "Tool"],
  ["system", "System"],
])

/** Formats a conversation as one line for each message and tool call, with the scored answer at the end. */
export function conversationText(input: ScoreInput): string {
  const asked = rowField(input, "user_input", "question", "input", "prompt")
  const lines = typeof asked === "string" ? [`User: ${asked}`] : listOf(asked).flatMap(linesOf)
  const answer = input.sample.output_text
  const last = `Assistant: ${answer}`
  return (answer === null || lines.at(-1) === last ? lines : [...lines, last]).join("\n")
}

function linesOf(message: unknown): readonly string[] {
  const { role, type, content, tool_calls: calls } = fieldsOf(message)
  const word = typeof role === "string" ? role : typeof type === "string" ? type : "user"
  const speaker = SPEAKERS.get(word) ?? word
  const text = shownText(content)
  return [
    ...(text === "" ? [] : [`${speaker}: ${text}`]),
    ...agentToolCalls(calls).map(({ name, args }) => `${speaker} calls ${name}(${JSON.stringify(args) ?? MALFORMED})`),
  ]
}

/** Parts of a message that the judge gets as text. */
const SHOWN: ReadonlySet<unknown> = new Set([undefined, "text", "input_text", "output_text", "refusal"])

/** Returns the text of a message. Images and other parts are named, so that the judge does not take the text for the whole message. */
function shownText(content: unknown): string {
  const { text, reasoning } = readContent(content)
  const types = listOf(content).map((part) => fieldsOf(part)["type"])
  const hidden = reasoning === null ? types.filter((type) => !SHOWN.has(type)) : []
  return [...(text === null || text === "" ? [] : [text]), ...hidden.map((type) => `[${valueText(type)}]`)].join("\n")
}

/** Returns the question of a row: a text, or the texts of the user's messages. @throws `rows_invalid` if the row has neither */
export function questionText(input: Pick<ScoreInput, "item">): string {
  const asked = rowField(input, "user_input", "question", "input", "prompt")
  if (typeof asked === "string") return asked
  return listOf(asked)
    .map(fieldsOf)
    .filter(({ role, type }) => (role ?? type ?? "user") === "user" || type === "human")
    .map(({ content }) => shownText(content))
    .join("\n")
}

/** Returns the first field of `names` that a row has. @throws `rows_invalid` that lists the fields of the row */
export function rowField({ item }: Pick<ScoreInput, "item">, ...names: readonly [string, ...string[]]): unknown {
  const found = names.find((name) => item[name] !== undefined && item[name] !== null)
  if (found !== undefined) return item[found]
  const has = Object.keys(item).slice(0, 12).join("', '")
  throw new AssayError("rows_invalid", `The row has no '${names.join("' or '")}'; it has '${has}'.`)
}

/** A tool call as rows of agents contain it. */
export interface AgentToolCall {
  readonly name: string
  /** Undefined: they are not a JSON object. */
  readonly args: Readonly<Record<string, unknown>> | undefined
}

/** Reads `{name, args}`, `{name, arguments}` and `{function: {name, arguments}}`. Arguments may be JSON text; an empty one means none. Calls without a name are left out. */
export function agentToolCalls(value: unknown): readonly AgentToolCall[] {
  return listOf(value).flatMap((one) => {
    const call = fieldsOf(fieldsOf(one)["function"] ?? one)
    const { name, args = call["arguments"] } = call
    return typeof name === "string" && name !== "" ? [{ name, args: argsOf(args) }] : []
  })
}

/** Lists the calls that the assistant makes in a conversation, in order. */
export function callsInConversation(messages: unknown): readonly AgentToolCall[] {
  return listOf(messages).flatMap((message) => agentToolCalls(toolCallsOf(fieldsOf(message))))
}

/** Shown instead of arguments that are not a JSON object. */
const MALFORMED = "malformed arguments"

function argsOf(args: unknown): AgentToolCall["args"] {
  if (typeof args !== "string") return objectOf(args ?? {})
  try {
    return objectOf(args.trim() === "" ? {} : (parseUniqueJson(args) ?? {}))
  } catch {
    return undefined
  }
}

function objectOf(value: unknown): AgentToolCall["args"] {
  return isJsonObject(value) ? value : undefined
}
