import { type FakeCollector, startFakeCollector, verifies } from "@assay/testkit"
import { AssayError } from "@assay/schemas/errors"
import { describe, expect, it } from "vitest"
import { readTelemetrySettings, type TelemetryValues } from "../settings/read-telemetry-settings.ts"
import { traceWork } from "../trace-work.ts"
import { openTelemetry } from "./open-telemetry.ts"

function open(collector: FakeCollector, values: TelemetryValues = {}) {
  const json = { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/`, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }
  const settings = readTelemetrySettings({ ...json, ...values }, "test")
  if (settings === undefined) throw new Error("There is no endpoint.")
  return openTelemetry(settings, { version: "1.2.3", onRefused: () => {} })
}

describe("a trace", () => {
  it("has spans inside each other, also after work was awaited", async () => {
    await using collector = await startFakeCollector()
    const telemetry = await open(collector)
    await traceWork(telemetry, { name: "outer" }, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      await Promise.all(
        ["a", "b"].map((name) => traceWork(telemetry, { name }, async (span) => span?.set({ size: 3, no: undefined }))),
      )
    })
    await telemetry.close()
    const [a, b, outer] = collector.spans()
    expect([a?.parentSpanId, b?.parentSpanId, outer?.parentSpanId]).toEqual([outer?.spanId, outer?.spanId, undefined])
    expect(a?.attributes).toEqual({ size: 3 })
    expect(collector.resources()).toEqual([{ "service.name": "test", "service.version": "1.2.3" }])
  })

  it("that several processes name is one, whoever begins and whoever samples", verifies("telemetry.jobs"), async () => {
    await using collector = await startFakeCollector()
    const ids = Array.from({ length: 40 }, (_, at) => `job-${at}`)
    const values = { OTEL_TRACES_SAMPLER: "parentbased_traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.5" }
    for (const isRoot of [false, true]) {
      const telemetry = await open(collector, values)
      for (const id of ids) {
        telemetry.begin({ name: isRoot ? "root" : "part", trace: { id, isRoot }, attributes: { id } }).end()
      }
      await telemetry.close()
    }
    const spans = collector.spans()
    const roots = spans.filter(({ name }) => name === "root")
    const parts = spans.filter(({ name }) => name === "part")
    expect(roots.length).toBeGreaterThan(5)
    expect(roots.length).toBeLessThan(35)
    const spanOf = (id: unknown) => roots.find(({ attributes }) => attributes["id"] === id)
    expect(parts.length).toBe(roots.length)
    for (const { attributes, traceId, parentSpanId } of parts) {
      expect([traceId, parentSpanId]).toEqual([spanOf(attributes["id"])?.traceId, spanOf(attributes["id"])?.spanId])
    }
  })

  it("names the code of a failure and not its message", async () => {
    await using collector = await startFakeCollector()
    const telemetry = await open(collector)
    const failing = traceWork(telemetry, { name: "work" }, () =>
      Promise.reject(new AssayError("rate_limited", "The prompt was 'hello'.")),
    )
    await expect(failing).rejects.toThrow("hello")
    await telemetry.close()
    expect(collector.spans()).toMatchObject([{ isFailed: true, attributes: { "error.type": "rate_limited" } }])
    expect(collector.requests.every(({ body }) => !body.includes("hello"))).toBe(true)
  })

  it("is not recorded if only metrics have an address", async () => {
    await using collector = await startFakeCollector()
    const metrics = { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: `${collector.url}/v1/metrics` }
    const telemetry = await open(collector, { OTEL_EXPORTER_OTLP_ENDPOINT: "", ...metrics })
    const add = telemetry.histogram({ name: "h", description: "", unit: "s", bounds: [1] })
    const again = telemetry.histogram({ name: "h", description: "", unit: "s", bounds: [1] })
    await traceWork(telemetry, { name: "work" }, async () => [add, again].map((one) => one(2, {})))
    await telemetry.close()
    expect(collector.requests.map(({ url }) => url)).toEqual(["/v1/metrics"])
    expect(collector.points()).toMatchObject([{ metric: "h", unit: "s", value: 4, count: 2 }])
  })
})
