import { fieldsOf, type JsonObject, listOf } from "@assay/json"
import { argumentsOf } from "../messages/read-calls.ts"
import { readMessages } from "../messages/read-messages.ts"
import { readTools } from "../messages/read-tools.ts"
import { textOfValue, unwrapJson } from "../messages/embedded-json.ts"
import type { ObservedSpan, SpanKind } from "../observed-span.ts"
import { numberOf, readTime } from "../read-time.ts"

const KINDS: Readonly<Record<string, SpanKind>> = {
  generation: "chat",
  tool: "tool",
  agent: "run",
  chain: "run",
  span: "run",
}

/**
 * Reads an observation of Langfuse, as its API, its export of tables and its export to a bucket write it. Returns undefined for anything else.
 * @param conversation the session of its trace, if that is known
 */
export function readObservation(observation: JsonObject, conversation?: string): ObservedSpan | undefined {
  const get = reader(observation)
  const [trace, id, type] = [get("traceId"), get("id"), get("type")]
  if (!isText(trace) || !isText(id) || typeof type !== "string") return undefined
  const kind = KINDS[type.toLowerCase()] ?? "other"
  const [input, output] = [unquote(get("input")), unquote(get("output"))]
  const isSpoken = kind === "chat" || kind === "run"
  return {
    trace,
    span: id,
    parent: textOrNone(get("parentObservationId")),
    conversation: textOrNone(get("sessionId")) ?? conversation,
    kind,
    start: readTime(get("startTime")),
    end: readTime(get("endTime")),
    model: textOrNone(get("model")) ?? textOrNone(get("providedModelName")),
    provider: undefined,
    input: isSpoken ? readMessages(input, "user") : [],
    output: isSpoken ? readMessages(output, "assistant") : [],
    call:
      kind === "tool"
        ? {
            id: undefined,
            name: textOfValue(get("name")).slice(0, MAX_ID),
            args: argumentsOf(input),
            result: textOfValue(output),
          }
        : undefined,
    tools: kind === "chat" ? readTools(fieldsOf(input)["tools"]) : [],
    tokens: tokensOf(get),
    isFailed: get("level") === "ERROR",
  }
}

/** Reads a trace of Langfuse: its own input and output, and its observations if they are in it. Returns nothing for anything else. */
export function readLangfuseTrace(trace: JsonObject): readonly ObservedSpan[] {
  const get = reader(trace)
  const [id, time] = [get("id"), readTime(get("timestamp"))]
  if (!isText(id) || time === undefined) return []
  const conversation = textOrNone(get("sessionId"))
  const run: ObservedSpan = {
    trace: id,
    span: `trace:${id}`,
    parent: undefined,
    conversation,
    kind: "run",
    start: time,
    end: undefined,
    model: undefined,
    provider: undefined,
    input: readMessages(unquote(get("input")), "user"),
    output: readMessages(unquote(get("output")), "assistant"),
    call: undefined,
    tools: [],
    tokens: undefined,
    isFailed: false,
  }
  const inside = listOf(unwrapJson(get("observations"))).flatMap((one) => {
    return readObservation({ traceId: id, ...fieldsOf(one) }, conversation) ?? []
  })
  return [run, ...inside]
}

const MAX_ID = 200

function tokensOf(get: (key: string) => unknown): number | undefined {
  const usage = fieldsOf(unwrapJson(get("usageDetails") ?? get("usage")))
  const total = numberOf(usage["total"] ?? get("totalTokens") ?? get("totalUsage"))
  return Number.isFinite(total) && total > 0 ? total : undefined
}

/** Returns a reader of fields, whose names are in camel case or, in exports to a bucket, in snake case. */
function reader(record: JsonObject): (key: string) => unknown {
  return (key) => record[key] ?? record[key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
}

/** Exports as CSV have JSON in their fields, also of texts. */
function unquote(value: unknown): unknown {
  const inner = unwrapJson(value)
  if (typeof inner !== "string" || !/^".*"$/s.test(inner)) return inner
  try {
    return JSON.parse(inner) as unknown
  } catch {
    return inner
  }
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= MAX_ID
}

function textOrNone(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_ID) : undefined
}
