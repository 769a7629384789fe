import { AssayError } from "@assay/schemas/errors"
import { readNumber as readDecimal } from "@assay/json"
import { PROTOCOLS, SAMPLER_NAMES, type TelemetrySettings } from "./telemetry-settings.ts"

type Name =
  | "OTEL_SDK_DISABLED"
  | "OTEL_SERVICE_NAME"
  | "OTEL_RESOURCE_ATTRIBUTES"
  | "OTEL_EXPORTER_OTLP_ENDPOINT"
  | "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
  | "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT"
  | "OTEL_EXPORTER_OTLP_HEADERS"
  | "OTEL_EXPORTER_OTLP_PROTOCOL"
  | "OTEL_TRACES_SAMPLER"
  | "OTEL_TRACES_SAMPLER_ARG"
  | "OTEL_METRIC_EXPORT_INTERVAL"
  | "ASSAY_SEND_TRACEPARENT"

/** Settings by their names in the environment, as text or already converted. */
export type TelemetryValues = Readonly<Partial<Record<Name, string | number | boolean | undefined>>>

const DEFAULT_INTERVAL_MS = 60_000

/**
 * Reads the settings of OpenTelemetry that we follow. An empty value counts as absent. Returns undefined if no endpoint is given, or if
 * `OTEL_SDK_DISABLED` is true. `service` is the name of the program. @throws `bad_settings`
 */
export function readTelemetrySettings(values: TelemetryValues, service: string): TelemetrySettings | undefined {
  const read = (name: Name): string | undefined => String(values[name] ?? "").trim() || undefined
  if (isTrue(read("OTEL_SDK_DISABLED"))) return undefined
  const base = read("OTEL_EXPORTER_OTLP_ENDPOINT")
  const urlOf = (signal: "traces" | "metrics"): string | undefined => {
    const name = `OTEL_EXPORTER_OTLP_${signal === "traces" ? "TRACES" : "METRICS"}_ENDPOINT` as const
    const own = read(name)
    if (own !== undefined) return checkUrl(own, name)
    return base && `${checkUrl(base, "OTEL_EXPORTER_OTLP_ENDPOINT").replace(/\/+$/, "")}/v1/${signal}`
  }
  const tracesUrl = urlOf("traces")
  const metricsUrl = urlOf("metrics")
  if (tracesUrl === undefined && metricsUrl === undefined) return undefined
  const given = readPairs(read("OTEL_RESOURCE_ATTRIBUTES"), "OTEL_RESOURCE_ATTRIBUTES")
  const serviceName = read("OTEL_SERVICE_NAME") ?? given["service.name"] ?? service
  return {
    tracesUrl,
    metricsUrl,
    headers: readPairs(read("OTEL_EXPORTER_OTLP_HEADERS"), "OTEL_EXPORTER_OTLP_HEADERS"),
    protocol: oneOf(PROTOCOLS, read("OTEL_EXPORTER_OTLP_PROTOCOL") ?? "http/protobuf", "OTEL_EXPORTER_OTLP_PROTOCOL"),
    resource: { ...given, "service.name": serviceName },
    sampler: oneOf(SAMPLER_NAMES, read("OTEL_TRACES_SAMPLER") ?? "parentbased_always_on", "OTEL_TRACES_SAMPLER"),
    ratio: readNumber(read("OTEL_TRACES_SAMPLER_ARG") ?? "1", "OTEL_TRACES_SAMPLER_ARG", [0, 1]),
    metricIntervalMs: readNumber(
      read("OTEL_METRIC_EXPORT_INTERVAL") ?? String(DEFAULT_INTERVAL_MS),
      "OTEL_METRIC_EXPORT_INTERVAL",
      [1, 2 ** 31 - 1],
    ),
    sendsTraceparent: isTrue(read("ASSAY_SEND_TRACEPARENT")),
  }
}

function isTrue(value: string | undefined): boolean {
  return value !== undefined && /^(1|true|yes|on)$/i.test(value)
}

function wrong(name: Name, fault: string): AssayError {
  return new AssayError("bad_settings", `The setting ${name} ${fault}.`)
}

/** Checks an address. It may have a user name and a password, so no message quotes it. */
function checkUrl(text: string, name: Name): string {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong(name, "is not the address of a collector; write http://host:4318 or https://host")
  }
  if (url.username !== "" || url.password !== "") {
    throw wrong(name, "has a user name or a password; send them as OTEL_EXPORTER_OTLP_HEADERS instead")
  }
  return text
}

/** Reads `name=value,name=value`, whose values are percent-encoded. Values can be keys, so no message quotes them. */
function readPairs(text: string | undefined, name: Name): Readonly<Record<string, string>> {
  const pairs = (text ?? "").split(",").filter((pair) => pair.trim() !== "")
  return Object.fromEntries(
    pairs.map((pair, at) => {
      const [key = "", ...rest] = pair.split("=")
      if (key.trim() === "" || rest.length === 0) {
        throw wrong(name, `is not a list such as name=value,name=value: item ${at + 1} has no name or no value`)
      }
      return [key.trim(), decode(rest.join("=").trim())]
    }),
  )
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function oneOf<T extends string>(known: readonly T[], value: string, name: Name): T {
  const found = known.find((one) => one === value.toLowerCase())
  if (found === undefined) throw wrong(name, `'${value}' is not supported; use ${known.join(", ")}`)
  return found
}

function readNumber(text: string, name: Name, [min, max]: readonly [number, number]): number {
  const value = readDecimal(text.trim())
  if (value === undefined || value < min || value > max)
    throw wrong(name, `'${text}' is not a number from ${min} to ${max}`)
  return value
}
