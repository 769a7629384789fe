export type { Attributes, Instrument, Span, SpanOptions, Telemetry } from "./telemetry.ts"
export { errorType, traceWork } from "./trace-work.ts"
