import { findJsonExcess } from "@assay/json"
import type { ChatMessage } from "@assay/schemas"
import { sortSpans } from "../join/conversation-spans.ts"
import { chatMessages } from "../join/chat-messages.ts"
import { joinSpans } from "../join/join-spans.ts"
import type { ObservedSpan } from "../observed-span.ts"
import { readRecord } from "../read-record.ts"
import { answeredHistory } from "./answered-history.ts"

/** The messages of an agent in one task, as its spans report them. */
export interface TraceTranscript {
  /** The system message first, if there is one. Each call has an id, which its answer names. */
  readonly messages: readonly ChatMessage[]
  /** Of all requests to models, also those of helpers. Null: unknown. */
  readonly tokens: number | null
}

/** Limits of one record. Exporters write spans in lists, four levels below the record. */
const LIMITS = { depth: 200, parts: 1_000_000, values: 1_000_000, keys: 50_000 }
const MAX_SPANS = 20_000

/**
 * Reads the spans of one task: one JSON value, or one on each line, among which other lines are ignored. Whatever ids they have, they are one
 * conversation. Returns why there is none as a text.
 */
export function readTranscript(text: string): TraceTranscript | string {
  const spans = recordsOf(text).flatMap((record) => readRecord(record).spans)
  if (spans.length === 0) return "has no spans"
  if (spans.length > MAX_SPANS) return `has more than ${MAX_SPANS} spans`
  const { requests, tools } = sortSpans(spans)
  const [main] = joinSpans(requests, true).threads
  if (main === undefined || main.history.length === 0) {
    return `has ${spans.length} spans, and none of them has messages of a model: record the contents of messages`
  }
  return { messages: chatMessages({ ...main, history: answeredHistory(main.history, tools) }), tokens: tokensOf(spans) }
}

function recordsOf(text: string): readonly unknown[] {
  const whole = parsed(text)
  return whole === undefined ? text.split("\n").flatMap((line) => parsed(line) ?? []) : [whole]
}

function parsed(text: string): unknown {
  const written = text.trim()
  if (!/^[[{]/.test(written) || findJsonExcess(written, LIMITS) !== undefined) return undefined
  try {
    return JSON.parse(written) as unknown
  } catch {
    return undefined
  }
}

/** Returns the tokens of all requests, or null if one does not say how many it took. Steps of an agent repeat the tokens of their requests, and failed ones took none. */
function tokensOf(spans: readonly ObservedSpan[]): number | null {
  const requests = spans.filter(({ kind, isFailed }) => kind === "chat" && !isFailed)
  const counts = requests.flatMap(({ tokens }) => tokens ?? [])
  return counts.length === 0 || counts.length < requests.length ? null : counts.reduce((sum, one) => sum + one, 0)
}
