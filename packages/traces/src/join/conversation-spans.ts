import type { ObservedSpan } from "../observed-span.ts"

/** The spans of a conversation by what they say about it. */
export interface ConversationSpans {
  /** Requests to models in the order of their times; of a trace without any, its outermost steps. */
  readonly requests: readonly ObservedSpan[]
  readonly tools: readonly ObservedSpan[]
  /** Steps that are not needed, because their requests are there. */
  readonly steps: number
  /** Traces whose requests are unknown, so that their steps are used. */
  readonly ofSteps: number
  readonly twice: number
}

/** Sorts the spans of a conversation, without those that are there twice, and adds messages that were recorded apart from their span. */
export function sortSpans(given: readonly ObservedSpan[]): ConversationSpans {
  const { spans, twice } = uniqueSpans(given)
  const chats = spans.filter(({ kind, input, output }) => kind === "chat" && input.length + output.length > 0)
  const traces = new Set(chats.map(({ trace }) => trace))
  const runs = spans.filter(({ kind }) => kind === "run")
  const alone = runs.filter(({ trace, input }) => !traces.has(trace) && input.length > 0)
  const ids = new Set(alone.map(({ span }) => span))
  const outermost = alone.filter(({ parent }) => parent === undefined || !ids.has(parent))
  return {
    requests: [...chats, ...outermost].toSorted(byTime),
    tools: spans.filter(({ call }) => call != null).toSorted(byTime),
    steps: runs.length - outermost.length,
    ofSteps: new Set(outermost.map(({ trace }) => trace)).size,
    twice,
  }
}

function uniqueSpans(given: readonly ObservedSpan[]): {
  readonly spans: readonly ObservedSpan[]
  readonly twice: number
} {
  const spans = new Map<string, ObservedSpan>()
  const events = new Map<string, ObservedSpan[]>()
  let twice = 0
  for (const span of given) {
    const key = `${span.trace}:${span.span}`
    if (span.kind === "event") events.set(key, [...(events.get(key) ?? []), span])
    else if (spans.has(key)) twice += 1
    else spans.set(key, span)
  }
  for (const [key, all] of events) spans.set(key, withEvents(spans.get(key), all.toSorted(byTime)))
  return { spans: [...spans.values()], twice }
}

/** Adds messages to their span. Without one they are a request. */
function withEvents(span: ObservedSpan | undefined, events: readonly ObservedSpan[]): ObservedSpan {
  const [first] = events
  const input = events.flatMap((event) => event.input)
  const output = events.flatMap((event) => event.output)
  if (span === undefined) return { ...(first as ObservedSpan), kind: "chat", input, output }
  const isSpoken = span.kind === "other" || span.kind === "run"
  return {
    ...span,
    kind: isSpoken ? "chat" : span.kind,
    input: span.kind === "chat" && span.input.length > 0 ? span.input : input,
    output: span.kind === "chat" && span.output.length > 0 ? span.output : output,
    tools: span.tools.length > 0 ? span.tools : (first?.tools ?? []),
  }
}

function byTime(one: ObservedSpan, other: ObservedSpan): number {
  return (one.start ?? 0) - (other.start ?? 0)
}
