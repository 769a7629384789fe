import { askedAgain, MAX_TURNS } from "@assay/schemas"
import { chatMessages } from "./join/chat-messages.ts"
import type { ObservedSpan } from "./observed-span.ts"
import { joinSpans, type Thread } from "./join/join-spans.ts"
import { sortSpans } from "./join/conversation-spans.ts"
import { readTurns, type TraceTurn } from "./join/trace-turns.ts"

/** The spans of one conversation or session, or of one trace without one. */
export interface SpanGroup {
  /** The id of the conversation, or that of the trace. */
  readonly id: string
  readonly isConversation: boolean
  readonly spans: readonly ObservedSpan[]
  /** Spans that are not in `spans`, because the conversation has too many. */
  readonly cut: number
}

/** A conversation of a trace as a row. */
export interface TraceRow {
  readonly row: Readonly<Record<string, unknown>>
  readonly turns: readonly TraceTurn[]
  readonly system: string
  /** The spans of its requests. */
  readonly spans: readonly ObservedSpan[]
}

/** The use of the spans of a conversation. */
export interface TraceFindings {
  /** Undefined: it has no message of a user. */
  readonly found: TraceRow | undefined
  readonly twice: number
  readonly retries: number
  readonly steps: number
  readonly ofSteps: number
  /** Requests of other threads. */
  readonly others: number
  readonly greetings: number
  readonly unanswered: number
  readonly cutTurns: number
  readonly lost: number
}

/** Traces that a row names. */
const MAX_TRACES = 20

/** Reads the row of a conversation. */
export function readTraceRow({ id, isConversation, spans }: SpanGroup): TraceFindings {
  const { requests, tools, ...sorted } = sortSpans(spans)
  const { threads, retries } = joinSpans(requests, isConversation)
  const [main, ...rest] = threads
  const read = readTurns(main?.history ?? [], tools)
  const turns = read.turns.slice(0, MAX_TURNS).filter(({ user }) => user !== "")
  const counts = {
    ...sorted,
    retries,
    others: rest.reduce((sum, thread) => sum + thread.spans.length, 0),
    greetings: read.greetings,
    unanswered: read.unanswered,
    cutTurns: Math.max(0, read.turns.length - MAX_TURNS),
    lost: (main?.history ?? []).reduce((sum, message) => sum + (message.lost ?? 0), 0),
  }
  if (main === undefined || turns.length === 0) return { found: undefined, ...counts }
  const row = {
    id,
    ...(main.system === "" ? {} : { system: main.system }),
    ...askedAgain(turns),
    output_text: turns.findLast((turn) => turn.output_text !== null)?.output_text ?? null,
    messages: chatMessages(main),
    metadata: metadataOf(main, isConversation ? id : undefined),
  }
  return { found: { row, turns, system: main.system, spans: main.spans }, ...counts }
}

function metadataOf({ spans }: Thread, conversation: string | undefined): object {
  const unique = (values: readonly (string | undefined)[]) => [...new Set(values.filter((one) => one !== undefined))]
  const starts = spans.flatMap(({ start }) => start ?? [])
  const ends = spans.flatMap(({ end, start }) => end ?? start ?? [])
  const tokens = spans.map((span) => span.tokens)
  return {
    conversation: conversation ?? null,
    traces: unique(spans.map(({ trace }) => trace)).slice(0, MAX_TRACES),
    time: starts.length === 0 ? null : isoTime(starts.reduce((one, other) => Math.min(one, other))),
    end_time: ends.length === 0 ? null : isoTime(ends.reduce((one, other) => Math.max(one, other))),
    models: unique(spans.map(({ model }) => model)),
    providers: unique(spans.map(({ provider }) => provider)),
    requests: spans.length,
    // A number that one span does not say is not known for all of them.
    tokens: tokens.reduce<number | null>(
      (sum, one) => (sum === null || one === undefined ? null : sum + one),
      tokens.length === 0 ? null : 0,
    ),
  }
}

function isoTime(milliseconds: number): string | null {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
