import { fieldsOf, findDuplicateKey, findJsonExcess, isJsonObject, listOf, parseExactJson } from "@assay/json"
import type { ChatMessage } from "@assay/schemas"

/** A call of a tool in a message of an assistant. */
export interface ToolCall {
  /** Null: it has none, as the older form of a single call. */
  readonly id: string | null
  /** The function, or the type of a tool without a name, such as `web_search`. Null: it can't be read. */
  readonly name: string | null
  readonly kind: "function" | "other"
  /** The arguments as the model wrote them. An empty text stands for none. */
  readonly text: string
}

/** Reads the calls of a message, in both forms of OpenAI's API. */
export function callsOf({ tool_calls: calls, function_call: single }: ChatMessage): readonly ToolCall[] {
  return [...listOf(calls).map(readCall), ...(single == null ? [] : [readCall({ function: single })])]
}

function readCall(call: unknown): ToolCall {
  const { id, type, function: called, custom } = fieldsOf(call)
  const isFunction = called !== undefined && called !== null
  const { name, arguments: given } = fieldsOf(called)
  const named = isFunction ? name : (fieldsOf(custom)["name"] ?? type)
  return {
    id: textOf(id),
    name: textOf(named),
    kind: isFunction ? "function" : "other",
    text: argumentText(isFunction ? given : (fieldsOf(custom)["input"] ?? "")),
  }
}

/** Some endpoints give arguments as an object, and none as an empty text. */
function argumentText(given: unknown): string {
  if (given === undefined || given === null || given === "") return "{}"
  return typeof given === "string" ? given : JSON.stringify(given)
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null
}

/**
 * Reads arguments. Returns null if they are not one object within the limits of request bodies, or if a key occurs twice: programs
 * would read different values.
 */
export function readArguments(text: string): Readonly<Record<string, unknown>> | null {
  try {
    if (findJsonExcess(text) !== undefined) return null
    const { value, hasExact } = parseExactJson(text)
    if (!isJsonObject(value) || findDuplicateKey(text, value, hasExact) !== undefined) return null
    return value
  } catch {
    return null
  }
}
