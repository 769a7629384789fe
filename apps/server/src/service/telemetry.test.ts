import { startFakeCollector, verifies } from "@assay/testkit"
import { describe, expect, it, vi } from "vitest"
import { startTestServer } from "../testing/start-test-server.ts"

const TRACE = "0af7651916cd43dd8448eb211c80319c"
const CALLER = "b7ad6b7169203331"
const SECRET = "sk-live-hunter2"

describe("a server with a collector", () => {
  it(
    "sends a span and a duration of each request, inside the trace of its caller",
    verifies("settings.telemetry", "telemetry.requests", "telemetry.private"),
    async () => {
      await using collector = await startFakeCollector()
      {
        await using server = await startTestServer({
          OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
          OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
          OTEL_EXPORTER_OTLP_HEADERS: `api-key=${SECRET}`,
          OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=staging",
          OTEL_METRIC_EXPORT_INTERVAL: "50",
        })
        const headers = { traceparent: `00-${TRACE}-${CALLER}-01` }
        await server.call("GET", "/apis/files/v2/workspaces/default/filesets/nowhere", { headers })
        const json = { name: "key", value: SECRET }
        await server.call("POST", "/apis/secrets/v2/workspaces/default/secrets", { json })
        await server.call("GET", "/health/live")
        expect(server.log()).not.toContain(SECRET)
        await vi.waitFor(() => expect(collector.points().map(({ metric }) => metric)).toContain("assay.jobs"))
      }
      const [read, write, ...others] = collector.spans()
      expect(others).toEqual([])
      expect(read).toMatchObject({
        name: "GET /apis/files/v2/workspaces/:ws/filesets/:name",
        kind: 2,
        traceId: TRACE,
        parentSpanId: CALLER,
        isFailed: false,
        attributes: {
          "http.request.method": "GET",
          "http.route": "/apis/files/v2/workspaces/:ws/filesets/:name",
          "http.response.status_code": 404,
          "url.scheme": "http",
          "assay.request.id": expect.any(String),
        },
      })
      expect([write?.attributes["http.response.status_code"], write?.parentSpanId]).toEqual([201, undefined])
      const durations = collector.points().filter(({ metric }) => metric === "http.server.request.duration")
      expect(durations.map(({ unit, count, attributes }) => [unit, count, attributes["http.route"]])).toContainEqual([
        "s",
        1,
        "/health/live",
      ])
      expect(collector.resources()[0]).toMatchObject({
        "service.name": "assay-server",
        "deployment.environment.name": "staging",
      })
      expect(new Set(collector.requests.map(({ headers: sent }) => sent["api-key"]))).toEqual(new Set([SECRET]))
      expect(collector.requests.every(({ body }) => !body.includes(SECRET))).toBe(true)
    },
  )

  it("sends protobuf by default", async () => {
    await using collector = await startFakeCollector((_request, response) => void response.end())
    {
      await using server = await startTestServer({
        OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/own/path`,
        OTEL_SERVICE_NAME: "evaluator",
      })
      await server.call("GET", "/status")
    }
    expect(collector.requests.map(({ url, headers }) => [url, headers["content-type"]])).toEqual([
      ["/own/path", "application/x-protobuf"],
    ])
    expect(collector.requests[0]?.body.includes("evaluator")).toBe(true)
  })

  it("serves and stops within seconds if the collector never responds", verifies("telemetry.bounded"), async () => {
    const silent = await startFakeCollector(() => {})
    const server = await startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: silent.url })
    const begun = performance.now()
    const { status } = await server.call("GET", "/status")
    const served = performance.now() - begun
    await server[Symbol.asyncDispose]()
    const stopped = performance.now() - begun - served
    expect([status, served < 1000, stopped > 1900, stopped < 3000]).toEqual([200, true, true, true])
    await silent[Symbol.asyncDispose]()
  })

  it("logs once for each signal that the collector refuses it", async () => {
    await using collector = await startFakeCollector((_request, response) => void response.writeHead(401).end(SECRET))
    const server = await startTestServer({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_METRIC_EXPORT_INTERVAL: "50",
    })
    await server.call("GET", "/status")
    await vi.waitFor(() => expect(collector.requests.length).toBeGreaterThan(2))
    await server[Symbol.asyncDispose]()
    const log = server.log()
    for (const signal of ["traces", "metrics"]) {
      expect(log.split(`the collector takes no ${signal}`).length).toBe(2)
    }
    expect([log.includes("Unauthorized"), log.includes(SECRET)]).toEqual([true, false])
  })

  it("collects nothing if OTEL_SDK_DISABLED is true", async () => {
    await using collector = await startFakeCollector()
    {
      await using server = await startTestServer({
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_SDK_DISABLED: "true",
      })
      await server.call("GET", "/status")
    }
    expect(collector.requests).toEqual([])
  })

  it.each([
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4318" }, "OTEL_EXPORTER_OTLP_ENDPOINT is not the address"],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: `http://me:${SECRET}@127.0.0.1` }, "OTEL_EXPORTER_OTLP_ENDPOINT has a user name"],
    [{ OTEL_EXPORTER_OTLP_HEADERS: SECRET }, "OTEL_EXPORTER_OTLP_HEADERS is not a list"],
    [{ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "'grpc' is not supported; use http/protobuf, http/json"],
    [{ OTEL_TRACES_SAMPLER_ARG: "2" }, "OTEL_TRACES_SAMPLER_ARG '2' is not a number from 0 to 1"],
  ])("refuses to start with %o, and does not quote a key", async (env, message) => {
    const starting = startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9", ...env })
    const error = await starting.then(
      () => undefined,
      (cause: Error) => cause,
    )
    expect(error).toMatchObject({ code: "bad_settings", message: expect.stringContaining(message) })
    expect(error?.message).not.toContain(SECRET)
  })
})
