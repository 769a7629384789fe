/** A span of OTLP as exporters write it. */
export type WrittenSpan = Readonly<Record<string, unknown>>

function anyValue(value: unknown): object {
  if (typeof value === "string") return { stringValue: value }
  if (typeof value === "number") return { intValue: String(value) }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return { kvlistValue: { values: keyValues(value as object) } }
}

export function keyValues(attributes: object): readonly object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: anyValue(value) }))
}

/** Returns a span that starts at a second. `trace/parent/id` names it. */
export function span(ids: string, second: number, attributes: object, over: object = {}): WrittenSpan {
  const [traceId, parentSpanId, spanId] = ids.split("/")
  const startTimeUnixNano = `${1_763_600_000 + second}000000000`
  return { traceId, spanId, parentSpanId, name: "s", startTimeUnixNano, attributes: keyValues(attributes), ...over }
}

/** Returns a request of OTLP with spans. */
export function otlp(...spans: readonly WrittenSpan[]): object {
  return { resourceSpans: [{ scopeSpans: [{ spans }] }] }
}

export const text = (role: string, content: string) => ({ role, parts: [{ type: "text", content }] })

/** Attributes of a request as OpenTelemetry writes them since 1.37. */
export function chat(input: readonly object[], output: readonly object[], over: object = {}): object {
  return {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "m1",
    "gen_ai.input.messages": JSON.stringify(input),
    "gen_ai.output.messages": JSON.stringify(output),
    ...over,
  }
}
