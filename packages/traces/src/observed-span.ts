import type { TraceCall, TraceMessage } from "./messages/trace-message.ts"
import type { TraceTool } from "./messages/read-tools.ts"

/**
 * The role of a span in a conversation: a request to a model (`chat`), a call of a tool, the run of an agent or a whole trace with an input and an
 * output (`run`), messages that were recorded apart from their span (`event`), or something else (`other`).
 */
export type SpanKind = "chat" | "tool" | "run" | "event" | "other"

/** A call of a tool that a span records, with its answer. */
export interface TraceToolRun extends TraceCall {
  readonly result?: string | undefined
}

/** The parts of a span that a conversation needs, whatever the form in which it was exported. */
export interface ObservedSpan {
  readonly trace: string
  readonly span: string
  /** Undefined: it is the first of its trace. */
  readonly parent: string | undefined
  /** The conversation or session that it says it belongs to. */
  readonly conversation: string | undefined
  readonly kind: SpanKind
  /** Milliseconds since 1970. Undefined: unknown. */
  readonly start: number | undefined
  readonly end: number | undefined
  readonly model: string | undefined
  readonly provider: string | undefined
  readonly input: readonly TraceMessage[]
  readonly output: readonly TraceMessage[]
  /** Of a call of a tool. */
  readonly call: TraceToolRun | undefined
  readonly tools: readonly TraceTool[]
  readonly tokens: number | undefined
  readonly isFailed: boolean
}
