import { fieldsOf, isJsonObject, type JsonObject, listOf } from "@assay/json"
import { readLangfuseTrace, readObservation } from "./langfuse/read-observation.ts"
import type { ObservedSpan } from "./observed-span.ts"
import { readLogRecord, readSpan } from "./otlp/read-span.ts"

/** The spans of a record of a file, and the number of its parts that have none. */
export interface ReadRecord {
  readonly spans: readonly ObservedSpan[]
  readonly unknown: number
}

/** Levels of lists and objects around spans. */
const MAX_DEPTH = 4

/**
 * Reads the spans of a record: a request of OTLP, a span as an SDK prints it, a trace or observation of Langfuse, or an object or a list that
 * contains them.
 */
export function readRecord(record: unknown): ReadRecord {
  const spans: ObservedSpan[] = []
  let unknown = 0
  const visit = (value: unknown, depth: number, session?: string): void => {
    const found = isJsonObject(value) ? readOne(value, session) : undefined
    if (found !== undefined) {
      spans.push(...found)
      return
    }
    const inside = depth < MAX_DEPTH ? insideOf(value) : undefined
    if (inside === undefined) unknown += 1
    else for (const one of inside) visit(one, depth + 1, sessionOf(value) ?? session)
  }
  visit(record, 0)
  return { spans, unknown }
}

/** Returns the spans of an object, or undefined if it is none of the known ones. */
function readOne(value: JsonObject, session: string | undefined): readonly ObservedSpan[] | undefined {
  const resources = listOf(value["resourceSpans"] ?? value["resource_spans"])
  const logs = listOf(value["resourceLogs"] ?? value["resource_logs"])
  if (resources.length + logs.length > 0)
    return [...resources.flatMap(spansOfResource), ...logs.flatMap(recordsOfResource)]
  if (isJsonObject(value["trace"])) {
    const trace = {
      ...value["trace"],
      ...(value["observations"] === undefined ? {} : { observations: value["observations"] }),
    }
    return withSession(readLangfuseTrace(trace), session)
  }
  if ("attributes" in value || Object.keys(value).some((key) => key.startsWith("attributes."))) {
    const span = readSpan(value)
    return span === undefined ? undefined : [span]
  }
  const observation = readObservation(value, session)
  if (observation !== undefined) return [observation]
  const trace = readLangfuseTrace(value)
  return trace.length === 0 ? undefined : withSession(trace, session)
}

function withSession(spans: readonly ObservedSpan[], session: string | undefined): readonly ObservedSpan[] {
  return spans.map((span) => (span.conversation === undefined ? { ...span, conversation: session } : span))
}

function spansOfResource(resource: unknown): readonly ObservedSpan[] {
  const { scopeSpans, scope_spans, instrumentationLibrarySpans } = fieldsOf(resource)
  return listOf(scopeSpans ?? scope_spans ?? instrumentationLibrarySpans)
    .flatMap((scope) => listOf(fieldsOf(scope)["spans"]))
    .flatMap((span) => readSpan(fieldsOf(span)) ?? [])
}

function recordsOfResource(resource: unknown): readonly ObservedSpan[] {
  const { scopeLogs, scope_logs } = fieldsOf(resource)
  return listOf(scopeLogs ?? scope_logs)
    .flatMap((scope) => listOf(fieldsOf(scope)["logRecords"] ?? fieldsOf(scope)["log_records"]))
    .flatMap((record) => readLogRecord(fieldsOf(record)) ?? [])
}

/** Keys in which files have their records. */
const LISTS = ["traces", "observations", "spans", "data", "batches", "items"]

function insideOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isJsonObject(value)) return undefined
  const list = LISTS.map((key) => value[key]).find((one) => Array.isArray(one) || isJsonObject(one))
  return Array.isArray(list) ? list : isJsonObject(list) ? [list] : undefined
}

/** A session of Langfuse contains its traces. */
function sessionOf(value: unknown): string | undefined {
  const { id, traces } = fieldsOf(value)
  return Array.isArray(traces) && typeof id === "string" ? id.slice(0, 200) : undefined
}
