import { startLoopbackServer, type LoopbackHandler, type RecordedRequest } from "../loopback-server.ts"

/** A span as a collector received it, with its attributes as plain values. */
export interface CollectedSpan {
  readonly name: string
  readonly kind: number
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId: string | undefined
  readonly attributes: Readonly<Record<string, unknown>>
  readonly events: readonly { readonly name: string; readonly attributes: Readonly<Record<string, unknown>> }[]
  /** Whether the span says that its work has failed. */
  readonly isFailed: boolean
}

/** One value of a metric. */
export interface CollectedPoint {
  readonly metric: string
  readonly unit: string
  readonly attributes: Readonly<Record<string, unknown>>
  /** The value of a gauge, or the sum of a histogram. */
  readonly value: number
  /** Number of values in a histogram. */
  readonly count: number | undefined
}

/** A collector that records what it gets as OTLP over HTTP in JSON. */
export interface FakeCollector extends AsyncDisposable {
  readonly url: string
  readonly requests: readonly RecordedRequest[]
  spans(): readonly CollectedSpan[]
  points(): readonly CollectedPoint[]
  /** Attributes of the processes that sent something. */
  resources(): readonly Readonly<Record<string, unknown>>[]
}

/** Starts a collector. By default it accepts everything. */
export async function startFakeCollector(
  handle: LoopbackHandler = (_request, response) =>
    void response.setHeader("content-type", "application/json").end("{}"),
): Promise<FakeCollector> {
  const server = await startLoopbackServer(handle)
  const bodies = (signal: "traces" | "metrics"): readonly Json[] =>
    server.requests
      .filter(({ url, headers }) => url === `/v1/${signal}` && headers["content-type"] === "application/json")
      .map(({ body }) => JSON.parse(body.toString("utf8")))
  return {
    url: server.url,
    requests: server.requests,
    spans: () =>
      bodies("traces")
        .flatMap(({ resourceSpans }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map(readSpan),
    points: () =>
      bodies("metrics")
        .flatMap(({ resourceMetrics }) => resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics)
        .flatMap(readPoints),
    resources: () =>
      [...bodies("traces"), ...bodies("metrics")]
        .flatMap(({ resourceSpans, resourceMetrics }) => resourceSpans ?? resourceMetrics)
        .map(({ resource }) => readAttributes(resource.attributes)),
    [Symbol.asyncDispose]: () => server.close(),
  }
}

// oxlint-disable-next-line typescript/no-explicit-any -- bodies as any sender may write them
type Json = any

const FAILED = 2

function readSpan({ name, kind, traceId, spanId, parentSpanId, attributes, status, events = [] }: Json): CollectedSpan {
  return {
    name,
    kind,
    traceId,
    spanId,
    parentSpanId,
    attributes: readAttributes(attributes),
    events: events.map((event: Json) => ({ name: event.name, attributes: readAttributes(event.attributes) })),
    isFailed: status?.code === FAILED,
  }
}

function readPoints({ name, unit, gauge, histogram, sum }: Json): readonly CollectedPoint[] {
  return (gauge ?? histogram ?? sum).dataPoints.map((point: Json) => ({
    metric: name,
    unit,
    attributes: readAttributes(point.attributes),
    value: point.sum ?? point.asDouble ?? Number(point.asInt),
    count: point.count,
  }))
}

function readAttributes(attributes: Json = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    attributes.map(({ key, value }: Json) => [
      key,
      value.intValue === undefined ? Object.values(value)[0] : Number(value.intValue),
    ]),
  )
}
