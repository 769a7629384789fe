export { openTelemetry } from "./otlp/open-telemetry.ts"
export { readTelemetrySettings, type TelemetryValues } from "./settings/read-telemetry-settings.ts"
export type { Attributes, Instrument, Span, SpanOptions, Telemetry } from "./telemetry.ts"
export { errorType, traceWork } from "./trace-work.ts"
