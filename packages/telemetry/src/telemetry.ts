/** Values by the names of OpenTelemetry's semantic conventions. Undefined values are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>

/** The kind of a span: an operation inside the process, a request that it serves, or a request that it sends. */
export type SpanKind = "internal" | "server" | "client"

export interface SpanOptions {
  readonly name: string
  /** Default `internal`. */
  readonly kind?: SpanKind | undefined
  readonly attributes?: Attributes | undefined
  /** The headers of a caller in another process, whose trace the span continues (W3C Trace Context). */
  readonly caller?: { readonly traceparent?: string | undefined; readonly tracestate?: string | undefined } | undefined
  /**
   * The trace that all processes find by the same text, such as the id of a job. A `root` is its first span; only one may have it. Every
   * other span is inside the root, also if another process has begun it. Default: inside the current span, or in a new trace.
   */
  readonly trace?: { readonly id: string; readonly isRoot: boolean } | undefined
}

/** A piece of work that has begun. */
export interface Span {
  /** The value of the header that continues the trace in another process. */
  readonly traceparent: string
  set(attributes: Attributes): void
  /** Adds an event that happened in the work, such as `gen_ai.evaluation.result`. */
  event(name: string, attributes: Attributes): void
  /** Marks the work as failed. `type` is an error code and never a message, which could quote a prompt or an answer. */
  fail(type: string): void
  end(): void
}

export interface Instrument {
  /** A name of the semantic conventions, or one that begins with `assay.`. */
  readonly name: string
  readonly description: string
  /** In the notation of UCUM, such as `s`, `By` or `{request}`. */
  readonly unit: string
}

export interface Histogram extends Instrument {
  /** Upper bounds, in ascending order. */
  readonly bounds: readonly number[]
}

export interface Measurement {
  readonly value: number
  readonly attributes: Attributes
}

/**
 * Traces and metrics of a process. Code that does work gets it as an option: undefined means that nothing is collected, which costs one
 * comparison. Nothing here throws, and nothing waits for a collector.
 */
export interface Telemetry {
  /** Whether requests to inference endpoints contain `traceparent`. Endpoints belong to others, so the default is false. */
  readonly sendsTraceparent: boolean
  /** Begins a span. The caller ends it. */
  begin(options: SpanOptions): Span
  /** Runs `work` with `span` as the current span, also in everything that `work` awaits or starts. */
  within<T>(span: Span, work: () => T): T
  /** Returns a function that adds a value to a histogram. */
  histogram(histogram: Histogram): (value: number, attributes: Attributes) => void
  /** Calls `read` before each export. If it fails, the gauge is left out. */
  gauge(gauge: Instrument, read: () => Promise<readonly Measurement[]>): void
  /** Sends what was collected, for at most 2 seconds, and ends. */
  close(): Promise<void>
}
