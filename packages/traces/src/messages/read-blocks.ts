import { fieldsOf, isJsonObject } from "@assay/json"
import { textOfValue } from "./embedded-json.ts"
import { callOf } from "./read-calls.ts"
import type { TraceCall, TraceMessage } from "./trace-message.ts"

/** The content of a message. */
export interface ReadContent {
  readonly text: string
  readonly calls: readonly TraceCall[]
  /** Answers of tools, which are messages of their own here. */
  readonly results: readonly TraceMessage[]
  readonly lost: number
}

const CALLS: ReadonlySet<unknown> = new Set(["tool_call", "tool_use", "tool-call"])
const RESULTS: ReadonlySet<unknown> = new Set(["tool_call_response", "tool_result", "tool-result"])
/** Reasoning of a model is not part of its answer. */
const THOUGHTS: ReadonlySet<unknown> = new Set(["reasoning", "thinking", "redacted_thinking"])

/**
 * Reads the content of a message: a text, or a list of parts as OpenAI, Anthropic, Gemini, the AI SDK, OpenInference and the semantic conventions
 * of OpenTelemetry write them.
 */
export function readContent(content: unknown): ReadContent {
  if (!Array.isArray(content)) {
    const text = isJsonObject(content) && typeof content["text"] === "string" ? content["text"] : textOfValue(content)
    return { text, calls: [], results: [], lost: 0 }
  }
  const texts: string[] = []
  const calls: TraceCall[] = []
  const results: TraceMessage[] = []
  let lost = 0
  for (const part of content) {
    const block = blockOf(part)
    if (typeof block === "string") texts.push(block)
    else if ("call" in block) calls.push(block.call)
    else if ("result" in block) results.push(block.result)
    else if ("lost" in block) {
      lost += 1
      texts.push(`[${block.lost}]`)
    }
  }
  return { text: texts.join("\n"), calls, results, lost }
}

type Block =
  | string
  | { readonly call: TraceCall }
  | { readonly result: TraceMessage }
  | { readonly lost: string }
  | object

function blockOf(part: unknown): Block {
  if (!isJsonObject(part)) return textOfValue(part)
  const { type, text, content, message_content: inner } = part
  if (isJsonObject(inner)) return blockOf(inner)
  const { functionCall, function_call, functionResponse, function_response } = part
  const called = functionCall ?? function_call
  if (isJsonObject(called)) return { call: callOf(called) }
  const response = functionResponse ?? function_response
  if (isJsonObject(response)) return { result: resultOf(response) }
  if (CALLS.has(type)) return { call: callOf(part) }
  if (RESULTS.has(type)) return { result: resultOf(part) }
  if (THOUGHTS.has(type)) return {}
  if (typeof text === "string") return text
  if (typeof content === "string" && (type === "text" || type === undefined)) return content
  return { lost: typeof type === "string" ? type.slice(0, 40) : "part" }
}

function resultOf(part: Readonly<Record<string, unknown>>): TraceMessage {
  const { id, tool_call_id, tool_use_id, toolCallId, name, toolName, response, result, output, content } = part
  const value = response ?? result ?? unwrapOutput(output) ?? content
  const read = readContent(value)
  return {
    role: "tool",
    text: read.text,
    calls: [],
    callId: [tool_use_id, toolCallId, tool_call_id, id].find((one) => typeof one === "string"),
    tool: [name, toolName].find((one) => typeof one === "string"),
    ...(part["is_error"] === true || part["isError"] === true ? { isError: true } : {}),
    ...(read.lost > 0 ? { lost: read.lost } : {}),
  }
}

/** The AI SDK writes outputs as `{type, value}`. */
function unwrapOutput(output: unknown): unknown {
  const { type, value } = fieldsOf(output)
  return typeof type === "string" && value !== undefined ? value : output
}
