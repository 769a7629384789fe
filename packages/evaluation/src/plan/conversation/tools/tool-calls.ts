import { fieldsOf, findJsonExcess, isJsonObject, parseUniqueJson } from "@assay/json"
import type { ChatMessage } from "@assay/schemas"

/** A call of a tool in an answer of a model. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  /** Undefined: they are malformed. */
  readonly args: Readonly<Record<string, unknown>> | undefined
  /** The arguments as the model wrote them. */
  readonly text: string
  /** The call as the history keeps it. */
  readonly sent: Readonly<Record<string, unknown>>
}

/** Characters of arguments. Longer ones are malformed, and leave the history. */
const MAX_ARGUMENTS = 1024 * 1024
const DEPTH = { depth: 64, parts: 100_000, values: 100_000, keys: 10_000 }
/** Characters of a name that are shown. */
const MAX_NAME = 200

/** Reads the calls of an answer leniently. A call without an id gets one, because its result names it. */
export function readToolCalls(calls: readonly unknown[], newId: (at: number) => string): readonly ToolCall[] {
  return calls.map((one, at) => {
    const call = fieldsOf(one)
    const { name, arguments: args } = fieldsOf(call["function"])
    const id = typeof call["id"] === "string" && call["id"] !== "" ? call["id"] : newId(at)
    const text = typeof args === "string" ? args : args === undefined ? "" : JSON.stringify(args)
    const isTooLong = text.length > MAX_ARGUMENTS
    const own = typeof name === "string" ? name.slice(0, MAX_NAME) : ""
    return {
      id,
      name: own,
      args: isTooLong ? undefined : parseArguments(text),
      text,
      sent: { ...call, id, type: "function", function: { name: own, arguments: isTooLong ? "{}" : text } },
    }
  })
}

function parseArguments(text: string): ToolCall["args"] {
  if (text.trim() === "") return {}
  if (findJsonExcess(text, DEPTH) !== undefined) return undefined
  try {
    const value = parseUniqueJson(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Returns an answer as a message of the history. */
export function assistantMessage(text: string | null, calls: readonly ToolCall[]): ChatMessage {
  if (calls.length === 0) return { role: "assistant", content: text ?? "" }
  return { role: "assistant", content: text, tool_calls: calls.map(({ sent }) => sent) }
}
