import { fieldsOf, isJsonObject } from "@assay/json"
import { readMessages } from "../messages/read-messages.ts"
import { readTools, type TraceTool } from "../messages/read-tools.ts"
import type { TraceMessage, TraceRole } from "../messages/trace-message.ts"
import { type Attributes, valueAt } from "./attribute-values.ts"

/** An event of a span, or a record of a log that belongs to one. */
export interface SpanEvent {
  readonly name: string
  readonly attributes: Attributes
  /** The body of a record of a log. */
  readonly body: unknown
}

export interface SpanMessages {
  readonly input: readonly TraceMessage[]
  readonly output: readonly TraceMessage[]
}

/** Where requests are: OpenTelemetry since 1.37, OpenInference, OpenLLMetry, the AI SDK, Langfuse. */
const INPUTS = [
  "gen_ai.input.messages",
  "llm.input_messages",
  "gen_ai.prompt",
  "ai.prompt.messages",
  "ai.prompt",
  "llm.prompts",
  "langfuse.observation.input",
]
const OUTPUTS = [
  "gen_ai.output.messages",
  "llm.output_messages",
  "gen_ai.completion",
  "llm.completions",
  "langfuse.observation.output",
]
/** The input and output of any step, which is a request only if nothing better is there. */
const STEP_INPUTS = ["input.value", "traceloop.entity.input", "langfuse.trace.input"]
const STEP_OUTPUTS = ["output.value", "traceloop.entity.output", "langfuse.trace.output"]

/** Reads the messages of a span from its attributes and events. */
export function readSpanMessages(attributes: Attributes, events: readonly SpanEvent[]): SpanMessages {
  const of = events.map(readEvent)
  const input = firstOf(attributes, INPUTS, "user")
  const output = firstOf(attributes, OUTPUTS, "assistant")
  const spoken = output.length > 0 ? output : readAiSdkAnswer(attributes)
  const asked = input.length > 0 ? input : of.flatMap((one) => one.input)
  return {
    input: [...readSystem(attributes, asked), ...asked],
    output: spoken.length > 0 ? spoken : of.flatMap((one) => one.output),
  }
}

/** Reads what a step of an agent was given and what it returned. */
export function readStepMessages(attributes: Attributes): SpanMessages {
  return { input: firstOf(attributes, STEP_INPUTS, "user"), output: firstOf(attributes, STEP_OUTPUTS, "assistant") }
}

function firstOf(attributes: Attributes, names: readonly string[], role: TraceRole): readonly TraceMessage[] {
  for (const name of names) {
    const value = valueAt(attributes, name)
    const found = value === undefined ? [] : readMessages(value, role)
    if (found.length > 0) return found
  }
  return []
}

/** The instructions of a system that are apart from the messages. */
function readSystem(attributes: Attributes, asked: readonly TraceMessage[]): readonly TraceMessage[] {
  if (asked.some(({ role }) => role === "system")) return []
  const value = valueAt(attributes, "gen_ai.system_instructions")
  return value === undefined ? [] : readMessages(value, "system").map((one) => ({ ...one, role: "system" as const }))
}

function readAiSdkAnswer(attributes: Attributes): readonly TraceMessage[] {
  const text = attributes.get("ai.response.text")
  const calls = valueAt(attributes, "ai.response.toolCalls")
  if (typeof text !== "string" && calls === undefined) return []
  return readMessages({ role: "assistant", content: text ?? "", tool_calls: calls ?? [] }, "assistant")
}

const EVENT_ROLES: Readonly<Record<string, TraceRole>> = {
  "gen_ai.system.message": "system",
  "gen_ai.user.message": "user",
  "gen_ai.assistant.message": "assistant",
  "gen_ai.tool.message": "tool",
}

/** Reads the messages of an event: of OpenTelemetry until 1.36 (one for each message), and since 1.37 (one for a request). */
export function readEvent({ name, attributes, body }: SpanEvent): SpanMessages {
  if (name === "gen_ai.choice")
    return { input: [], output: readMessages(eventValue(attributes, body, "gen_ai.completion"), "assistant") }
  const role = Object.hasOwn(EVENT_ROLES, name) ? EVENT_ROLES[name] : undefined
  if (role !== undefined) {
    const messages = readMessages(eventValue(attributes, body, "gen_ai.prompt"), role)
    return { input: messages.map((one) => ({ ...one, role })), output: [] }
  }
  const all = isJsonObject(body) ? new Map([...Object.entries(body), ...attributes]) : attributes
  if (name === "gen_ai.client.inference.operation.details") return readSpanMessages(all, [])
  if (name === "gen_ai.content.prompt") return { input: firstOf(all, ["gen_ai.prompt"], "user"), output: [] }
  if (name === "gen_ai.content.completion")
    return { input: [], output: firstOf(all, ["gen_ai.completion"], "assistant") }
  return { input: [], output: [] }
}

/** Returns the message of an event: its body, its attributes, or the text in one of them. */
function eventValue(attributes: Attributes, body: unknown, text: string): unknown {
  if (body !== undefined && body !== null) return body
  const whole = valueAt(attributes, "gen_ai.event.content") ?? valueAt(attributes, text)
  if (whole !== undefined) return whole
  const fields = Object.fromEntries(attributes)
  return Object.hasOwn(fields, "content") || Object.hasOwn(fields, "message") || Object.hasOwn(fields, "tool_calls")
    ? { ...fields, role: fields["role"] ?? "" }
    : undefined
}

/** Reads the definitions of the tools of a request. */
export function readSpanTools(attributes: Attributes): readonly TraceTool[] {
  const parameters = fieldsOf(valueAt(attributes, "llm.invocation_parameters"))
  const lists = [
    valueAt(attributes, "gen_ai.tool.definitions"),
    valueAt(attributes, "llm.tools"),
    valueAt(attributes, "llm.request.functions"),
    valueAt(attributes, "ai.prompt.tools"),
    parameters["tools"],
  ]
  return lists.map(readTools).find((tools) => tools.length > 0) ?? []
}
