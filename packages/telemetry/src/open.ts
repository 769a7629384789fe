export { openTelemetry } from "./otlp/open-telemetry.ts"
export { readTelemetrySettings, type TelemetryValues } from "./settings/read-telemetry-settings.ts"
