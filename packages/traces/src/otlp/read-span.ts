import { fieldsOf, isJsonObject, type JsonObject, listOf } from "@assay/json"
import { argumentsOf } from "../messages/read-calls.ts"
import { textOfValue } from "../messages/embedded-json.ts"
import type { ObservedSpan, SpanKind, TraceToolRun } from "../observed-span.ts"
import { readTime } from "../read-time.ts"
import { type Attributes, plainValue, readAttributes, valueAt } from "./attribute-values.ts"
import { readEvent, readSpanMessages, readSpanTools, readStepMessages, type SpanEvent } from "./span-messages.ts"

/** Attributes that name a conversation or session, the most precise first. */
const CONVERSATIONS = [
  "gen_ai.conversation.id",
  "session.id",
  "langfuse.session.id",
  "traceloop.association.properties.conversation_id",
  "traceloop.association.properties.session_id",
  "traceloop.association.properties.thread_id",
  "ai.telemetry.metadata.sessionId",
  "thread.id",
]
const MODELS = ["gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "ai.model.id"]
const PROVIDERS = ["gen_ai.provider.name", "gen_ai.system", "llm.provider", "llm.system", "ai.model.provider"]
const TOKENS = [
  ["gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"],
  ["gen_ai.usage.prompt_tokens", "gen_ai.usage.completion_tokens"],
  ["llm.token_count.prompt", "llm.token_count.completion"],
] as const

/** Reads a span of OTLP, or as an SDK prints it. Returns undefined if it has no ids. */
export function readSpan(span: JsonObject): ObservedSpan | undefined {
  const ids = idsOf(span)
  if (ids === undefined) return undefined
  const attributes = readAttributes(span)
  const kind = kindOf(attributes)
  const events = listOf(span["events"]).slice(0, MAX_EVENTS).map(eventOf)
  const own = kind === "chat" || kind === "run" ? readSpanMessages(attributes, events) : NONE
  const step = kind === "chat" || kind === "run" ? readStepMessages(attributes) : NONE
  const status = fieldsOf(span["status"])
  return {
    ...ids,
    conversation: firstText(attributes, CONVERSATIONS),
    kind,
    start: readTime(
      span["startTimeUnixNano"] ?? span["start_time_unix_nano"] ?? span["start_time"] ?? span["startTime"],
    ),
    end: readTime(span["endTimeUnixNano"] ?? span["end_time_unix_nano"] ?? span["end_time"] ?? span["endTime"]),
    model: firstText(attributes, MODELS),
    provider: firstText(attributes, PROVIDERS),
    input: own.input.length > 0 ? own.input : step.input,
    output: own.output.length > 0 ? own.output : step.output,
    call: kind === "tool" ? toolCallOf(attributes, span) : undefined,
    tools: kind === "chat" ? readSpanTools(attributes) : [],
    tokens: tokensOf(attributes),
    isFailed:
      status["code"] === 2 ||
      status["code"] === "STATUS_CODE_ERROR" ||
      status["status_code"] === "ERROR" ||
      span["status_code"] === "ERROR",
  }
}

/** Reads a record of a log that has messages of a span. Returns undefined for any other record. */
export function readLogRecord(record: JsonObject): ObservedSpan | undefined {
  const ids = idsOf(record)
  const attributes = readAttributes(record)
  const event = { ...eventOf(record), attributes }
  const { input, output } = readEvent(event)
  if (ids === undefined || input.length + output.length === 0) return undefined
  return {
    ...ids,
    conversation: firstText(attributes, CONVERSATIONS),
    kind: "event",
    start: readTime(record["timeUnixNano"] ?? record["observedTimeUnixNano"]),
    end: undefined,
    model: firstText(attributes, MODELS),
    provider: firstText(attributes, PROVIDERS),
    input,
    output,
    call: undefined,
    tools: readSpanTools(attributes),
    tokens: undefined,
    isFailed: false,
  }
}

const MAX_EVENTS = 2000
const NONE = { input: [], output: [] }

function eventOf(given: unknown): SpanEvent {
  const event = fieldsOf(given)
  const attributes = eventAttributes(event)
  const name = [event["name"], event["eventName"], attributes.get("event.name")].find(
    (one): one is string => typeof one === "string" && one !== "",
  )
  const body = event["body"]
  return { name: name ?? "", attributes, body: body === undefined ? undefined : plainValue(body) }
}

/** Attributes of events have names such as `content` and `role`, so all of them are read. */
function eventAttributes({ attributes }: JsonObject): Attributes {
  if (isJsonObject(attributes)) return new Map(Object.entries(attributes))
  return new Map(
    listOf(attributes).map((one) => [String(fieldsOf(one)["key"]), plainValue(fieldsOf(one)["value"])] as const),
  )
}

function idsOf(span: JsonObject): Pick<ObservedSpan, "trace" | "span" | "parent"> | undefined {
  const context = fieldsOf(span["context"] ?? span["spanContext"])
  const text = (...values: readonly unknown[]) =>
    values.find((one): one is string => typeof one === "string" && one !== "")?.slice(0, MAX_ID)
  const trace = text(
    span["traceId"],
    span["trace_id"],
    context["trace_id"],
    context["traceId"],
    span["context.trace_id"],
  )
  const own = text(span["spanId"], span["span_id"], context["span_id"], context["spanId"], span["context.span_id"])
  if (trace === undefined || own === undefined) return undefined
  const parent = text(span["parentSpanId"], span["parent_span_id"], span["parent_id"])
  return { trace, span: own, parent: parent === undefined || /^0+$/.test(parent) ? undefined : parent }
}

const MAX_ID = 200

const CHAT_OPERATIONS: ReadonlySet<unknown> = new Set(["chat", "text_completion", "generate_content", "completion"])
/** Attributes that only a request to a model has. */
const CHAT_ATTRIBUTES =
  /^(?:gen_ai\.(?:input\.messages|output\.messages|prompt|completion|request\.model)|llm\.(?:input_messages|output_messages|request\.type))/

function kindOf(attributes: Attributes): SpanKind {
  const operation = attributes.get("gen_ai.operation.name")
  const written =
    attributes.get("openinference.span.kind") ??
    attributes.get("traceloop.span.kind") ??
    attributes.get("langfuse.observation.type")
  const kind = typeof written === "string" ? written.toLowerCase() : undefined
  const ai = attributes.get("ai.operationId")
  if (operation === "execute_tool" || kind === "tool" || ai === "ai.toolCall") return "tool"
  if (CHAT_OPERATIONS.has(operation) || kind === "llm" || kind === "generation") return "chat"
  if (typeof ai === "string") return /\.do(?:Generate|Stream)$/.test(ai) ? "chat" : "run"
  if (typeof operation === "string") return operation.startsWith("invoke_") ? "run" : "other"
  if (kind !== undefined) return /^(?:agent|chain|workflow|task|span)$/.test(kind) ? "run" : "other"
  if ([...attributes.keys()].some((key) => CHAT_ATTRIBUTES.test(key))) return "chat"
  return attributes.has("input.value") ||
    attributes.has("traceloop.entity.input") ||
    attributes.has("langfuse.trace.input")
    ? "run"
    : "other"
}

function toolCallOf(attributes: Attributes, span: JsonObject): ObservedSpan["call"] {
  const first = (...names: readonly string[]) =>
    names.map((name) => valueAt(attributes, name)).find((value) => value !== undefined)
  const name = first("gen_ai.tool.name", "tool.name", "ai.toolCall.name", "traceloop.entity.name") ?? span["name"]
  const id = first("gen_ai.tool.call.id", "tool_call.id", "tool.id", "ai.toolCall.id")
  const args = first(
    "gen_ai.tool.call.arguments",
    "tool.parameters",
    "ai.toolCall.args",
    "ai.toolCall.input",
    "input.value",
    "traceloop.entity.input",
    "langfuse.observation.input",
  )
  const result = first(
    "gen_ai.tool.call.result",
    "ai.toolCall.result",
    "ai.toolCall.output",
    "output.value",
    "traceloop.entity.output",
    "langfuse.observation.output",
  )
  const call: TraceToolRun = {
    id: typeof id === "string" ? id : undefined,
    name: textOfValue(name).slice(0, MAX_ID),
    args: argumentsOf(innerArguments(args)),
  }
  return result === undefined ? call : { ...call, result: textOfValue(result) }
}

/** OpenLLMetry records the inputs of a tool as `{inputs}` or `{args, kwargs}`. */
function innerArguments(args: unknown): unknown {
  const { kwargs, inputs, input_str } = fieldsOf(args)
  if (isJsonObject(kwargs)) return kwargs
  if (isJsonObject(inputs)) return inputs
  return input_str ?? args
}

/** Returns the tokens of a request. Counts that are both 0 are unknown, as are texts and numbers that are not counts. */
function tokensOf(attributes: Attributes): number | undefined {
  for (const names of TOKENS) {
    const [asked, answered] = names.map((name) => countOf(attributes.get(name)))
    if (asked !== undefined && answered !== undefined && asked + answered > 0) return asked + answered
  }
  return undefined
}

function countOf(value: unknown): number | undefined {
  const count = typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value
  return typeof count === "number" && Number.isSafeInteger(count) && count >= 0 ? count : undefined
}

function firstText(attributes: Attributes, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = attributes.get(name)
    if (typeof value === "string" && value !== "") return value.slice(0, MAX_ID)
    if (typeof value === "number") return String(value)
  }
  return undefined
}
