import { type FakeCollector, startFakeCollector, verifies } from "@assay/testkit"
import { type Telemetry, openTelemetry, readTelemetrySettings, type TelemetryValues } from "@assay/telemetry"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { HELLO, openTestClient, TEST_KEY } from "../testing/open-test-client.ts"

let collector: FakeCollector
beforeEach(async () => {
  collector = await startFakeCollector()
})
afterEach(() => collector[Symbol.asyncDispose]())

async function open(values: TelemetryValues = {}): Promise<Telemetry> {
  const to = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }
  const settings = readTelemetrySettings({ ...to, ...values }, "test")
  if (settings === undefined) throw new Error("There is no endpoint.")
  return openTelemetry(settings, { version: "1", onRefused: () => {} })
}

describe("a traced client", () => {
  it(
    "makes a span and measurements of each call, without prompt, answer and key",
    verifies("telemetry.inference", "telemetry.private"),
    async () => {
      const telemetry = await open()
      const { client, server } = await openTestClient({ context: { telemetry } })
      await client.complete({ ...HELLO, parameters: { temperature: 0, max_tokens: 9 } })
      for await (const _ of client.stream({ ...HELLO, parameters: { stream_options: { include_usage: true } } }));
      server.faults.add({ fault: { kind: "condition", condition: "unauthorized" } })
      await expect(client.complete(HELLO)).rejects.toThrow()
      await telemetry.close()
      const [chat, streamed, failed] = collector.spans()
      const { port } = new URL(server.url)
      const known = {
        "gen_ai.operation.name": "chat",
        "gen_ai.provider.name": "openai",
        "gen_ai.request.model": "chat",
        "server.address": "127.0.0.1",
        "server.port": Number(port),
      }
      const answered = {
        "gen_ai.response.model": "chat",
        "gen_ai.response.id": expect.any(String),
        "gen_ai.usage.input_tokens": 2,
        "gen_ai.usage.output_tokens": expect.any(Number),
      }
      const request = { "gen_ai.request.temperature": 0, "gen_ai.request.max_tokens": 9, "assay.attempts": 1 }
      expect(chat).toMatchObject({ name: "chat chat", kind: 3, isFailed: false })
      expect(chat?.attributes).toEqual({ ...known, ...answered, ...request })
      expect(streamed?.attributes).toEqual({ ...known, ...answered })
      expect([failed?.isFailed, failed?.attributes["error.type"]]).toEqual([true, "inference_unauthorized"])
      const points = collector.points()
      const input = points.find(({ attributes }) => attributes["gen_ai.token.type"] === "input")
      expect(input).toMatchObject({ metric: "gen_ai.client.token.usage", unit: "{token}", value: 4, count: 2 })
      expect(points.filter(({ metric }) => metric === "gen_ai.client.operation.duration")).toHaveLength(2)
      for (const { body } of collector.requests) {
        expect([body.includes("Hello there"), body.includes("short answer"), body.includes(TEST_KEY)]).toEqual([
          false,
          false,
          false,
        ])
      }
      expect(server.requests.every(({ headers }) => headers["traceparent"] === undefined)).toBe(true)
    },
  )

  it("sends traceparent to an endpoint only if the setting says so", verifies("telemetry.inference"), async () => {
    const telemetry = await open({ ASSAY_SEND_TRACEPARENT: "true" })
    const { client, server } = await openTestClient({ context: { telemetry } })
    await client.complete(HELLO)
    for await (const _ of client.stream(HELLO));
    await telemetry.close()
    const sent = collector.spans().map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)
    expect(server.requests.map(({ headers }) => headers["traceparent"])).toEqual(sent)
  })
})
