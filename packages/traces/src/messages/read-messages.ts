import { fieldsOf, isJsonObject, type JsonObject, listOf } from "@assay/json"
import { embeddedJson, textOfValue, unwrapJson } from "./embedded-json.ts"
import { readContent } from "./read-blocks.ts"
import { callOf, callsBeside } from "./read-calls.ts"
import { roleOf, type TraceMessage, type TraceRole } from "./trace-message.ts"

/** Levels of lists and objects around messages. */
const MAX_WRAPS = 6
/** Messages of one request. */
const MAX_MESSAGES = 5000

/**
 * Reads messages in the forms in which traces record them: a text, a message, a list of them, JSON of these, or an object that contains them, such as
 * the body of a request or an answer.
 * @param role the role of what has none
 */
export function readMessages(value: unknown, role: TraceRole): readonly TraceMessage[] {
  return unwrap(value, role, 0).slice(0, MAX_MESSAGES)
}

function unwrap(value: unknown, role: TraceRole, depth: number): readonly TraceMessage[] {
  if (value === undefined || value === null || value === "") return []
  if (typeof value === "string") {
    const inner = depth < MAX_WRAPS ? embeddedJson(value) : undefined
    return inner === undefined ? [plain(value, role)] : unwrap(inner, role, depth + 1)
  }
  if (Array.isArray(value)) return unwrapList(value, role, depth)
  if (!isJsonObject(value) || depth >= MAX_WRAPS) return [plain(textOfValue(value), role)]
  if (isMessage(value)) return readMessage(value, role)
  const inside = insideOf(value)
  if (inside !== undefined) {
    const system =
      typeof value["system"] === "string" && value["system"] !== "" ? [plain(value["system"], "system")] : []
    return [...system, ...unwrap(inside, role, depth + 1)]
  }
  return [plain(onlyText(value) ?? JSON.stringify(value), role)]
}

function unwrapList(list: readonly unknown[], role: TraceRole, depth: number): readonly TraceMessage[] {
  if (list.length === 0) return []
  if (depth < MAX_WRAPS && list.some((one) => Array.isArray(one) || isMessage(one))) {
    return list.flatMap((one) => unwrap(one, role, depth + 1))
  }
  // A list without roles: the parts of one message.
  const { text, calls, results, lost } = readContent(list)
  return [...results, ...(text === "" && calls.length === 0 ? [] : [{ role, text, calls, ...lostOf(lost) }])]
}

/** Keys in which requests, answers and records of frameworks have their messages. */
const WRAPS = [
  "messages",
  "input_messages",
  "output_messages",
  "choices",
  "generations",
  "contents",
  "input",
  "inputs",
  "prompt",
  "output",
  "outputs",
  "data",
]
/** Keys of an object that has a text and little else. */
const TEXTS = [
  "question",
  "query",
  "user_input",
  "text",
  "content",
  "answer",
  "response",
  "result",
  "completion",
  "output_text",
]

function insideOf(value: JsonObject): unknown {
  const key = WRAPS.find((one) => Object.hasOwn(value, one) && value[one] !== null && value[one] !== "")
  return key === undefined ? undefined : value[key]
}

function onlyText(value: JsonObject): string | undefined {
  const key = TEXTS.find((one) => typeof value[one] === "string")
  return key === undefined ? undefined : (value[key] as string)
}

const ITEMS: ReadonlySet<unknown> = new Set(["message", "function_call", "function_call_output", "reasoning"])

function isMessage(value: unknown): value is JsonObject {
  if (!isJsonObject(value)) return false
  const { role, type, kwargs, message, parts } = value
  return (
    typeof role === "string" ||
    isJsonObject(kwargs) ||
    isJsonObject(message) ||
    Array.isArray(parts) ||
    ITEMS.has(type) ||
    roleOf(type) !== undefined
  )
}

/** Reads a message. One with several answers of tools is several messages. */
function readMessage(given: JsonObject, fallback: TraceRole): readonly TraceMessage[] {
  const value = flatMessage(given)
  const { type, role: written } = value
  if (type === "reasoning") return []
  if (type === "function_call") return [{ role: "assistant", text: "", calls: [callOf(value)] }]
  const role = type === "function_call_output" ? "tool" : (roleOf(written) ?? roleOf(type) ?? fallback)
  const content = value["parts"] ?? value["content"] ?? value["contents"] ?? value["output"] ?? value["text"]
  const inner = unwrapJson(content)
  const { text, calls, results, lost } = readContent(isList(inner, role) ? inner : content)
  const all = [...calls, ...callsBeside(value)]
  const own = { role, text, calls: all, ...toolOf(value, role), ...lostOf(lost) }
  const isEmpty = text === "" && all.length === 0 && results.length > 0
  return [...results, ...(isEmpty ? [] : [own])]
}

/** Returns whether text of a content is a list of parts. The answer of a tool is never one. */
function isList(content: unknown, role: TraceRole): boolean {
  return role !== "tool" && Array.isArray(content) && content.every((one) => typeof fieldsOf(one)["type"] === "string")
}

/** Unwraps a serialised message of LangChain, and one in `message`. */
function flatMessage(value: JsonObject): JsonObject {
  const { kwargs, id } = value
  if (isJsonObject(kwargs)) return { type: listOf(id).at(-1), ...kwargs }
  const message = unwrapJson(value["message"])
  if (typeof message === "string") return { content: message, ...value }
  if (!isJsonObject(message)) return value
  const { message: _, ...rest } = value
  const inner = isJsonObject(message["kwargs"]) ? flatMessage(message) : message
  return { ...rest, ...inner }
}

function toolOf(value: JsonObject, role: TraceRole): Pick<TraceMessage, "callId" | "tool" | "isError"> {
  if (role !== "tool") return {}
  const { tool_call_id, call_id, toolCallId, id, name, status } = value
  return {
    callId: [tool_call_id, call_id, toolCallId, id].find((one): one is string => typeof one === "string" && one !== ""),
    tool: typeof name === "string" ? name : undefined,
    ...(status === "error" || value["is_error"] === true ? { isError: true } : {}),
  }
}

function plain(text: string, role: TraceRole): TraceMessage {
  return { role, text, calls: [] }
}

function lostOf(lost: number): Pick<TraceMessage, "lost"> {
  return lost > 0 ? { lost } : {}
}
