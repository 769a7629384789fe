import { gzipSync } from "node:zlib"
import type { MetricConfig } from "@assay/schemas"
import { type LoopbackHandler, type LoopbackServer, startLoopbackServer, verifies } from "@assay/testkit"
import { afterEach, describe, expect, it } from "vitest"
import { openMetrics, scoreRows } from "../../testing/score-rows.ts"

let server: LoopbackServer
afterEach(() => server.close())

const ROW = { q: "Why?", output: "Because." }

async function scored(handle: LoopbackHandler, params: Record<string, unknown> = {}) {
  server = await startLoopbackServer(handle)
  const metric: MetricConfig = {
    type: "remote",
    params: { url: `${server.url}/score?v=1`, scores: { quality: "$.scores.quality" }, ...params },
  }
  const [row] = await scoreRows(await openMetrics([ROW], { remote: metric }))
  return row?.outcomes["remote"]?.scores
}

const answer =
  (value: unknown): LoopbackHandler =>
  (_, response) =>
    void response.end(JSON.stringify(value))

describe("a remote metric", () => {
  it("posts the row with its sample and reads scores by path", verifies("metric.remote"), async () => {
    expect(await scored(answer({ scores: { quality: 0.5 } }))).toEqual({ quality: 0.5 })
    const [request] = server.requests
    expect(request).toMatchObject({ method: "POST", url: "/score?v=1" })
    expect(JSON.parse(String(request?.body))).toEqual({
      item: ROW,
      sample: { output_text: "Because.", response: null, usage: null, latency_ms: null, finish_reason: null },
    })
  })

  it("posts a body made from templates with a key, and reads several scores", verifies("metric.remote"), async () => {
    const params = {
      body: { text: "{{ sample.output_text }}", meta: { question: "{{ item.q }}", n: 3 } },
      api_key_secret: "remote-key",
      scores: [
        { name: "a", json_path: "a" },
        { name: "b", parser: { type: "json", json_path: "$.b[0]" } },
        { name: "c", json_path: "c" },
      ],
    }
    expect(await scored(answer({ a: true, b: ["0.25"], c: "good" }), params)).toEqual({ a: 1, b: 0.25, c: "NaN" })
    expect(await scored(answer({ a: 1e308, b: ["0x1"], c: "-1e16" }), params)).toEqual({ a: "NaN", b: "NaN", c: "NaN" })
    expect(JSON.parse(String(server.requests[0]?.body))).toEqual({ text: "Because.", meta: { question: "Why?", n: 3 } })
    expect(server.requests[0]?.headers.authorization).toBe("Bearer value-of-remote-key")
  })

  it(
    "reads answers that are compressed, up to its limit, or begin with a mark",
    verifies("metric.remote"),
    async () => {
      const compressed =
        (bytes: Uint8Array, coding: string): LoopbackHandler =>
        (_, response) =>
          void response.writeHead(200, { "content-encoding": coding }).end(bytes)
      const body = JSON.stringify({ scores: { quality: 0.5 } })
      expect(await scored(compressed(gzipSync(body), "gzip"))).toEqual({ quality: 0.5 })
      await server.close()
      expect(await scored((_, response) => void response.end(`\uFEFF${body}`))).toEqual({ quality: 0.5 })
      await server.close()
      const bomb = gzipSync(`${" ".repeat(2 ** 21)}${body}`)
      await expect(scored(compressed(bomb, "gzip"))).rejects.toThrow("is longer than 1 MiB")
      await server.close()
      await expect(scored(compressed(gzipSync(body), "snappy"))).rejects.toThrow("is encoded with 'snappy'")
    },
  )

  it("repeats requests after temporary failures, at most max_retries times", verifies("metric.remote"), async () => {
    let asked = 0
    const handle: LoopbackHandler = ({ raw }, response) => {
      asked += 1
      if (asked === 1) raw.socket.destroy()
      response.statusCode = asked === 2 ? 503 : 200
      response.end('{"scores":{"quality":1}}')
    }
    expect(await scored(handle)).toEqual({ quality: 1 })
    await server.close()
    asked = 0
    await expect(scored(handle, { max_retries: 1 })).rejects.toMatchObject({
      code: "bad_response",
      context: { status: 503 },
    })
  })

  it(
    "waits while its service limits the rate, without counting that as a retry",
    verifies("inference.rate-limit"),
    async () => {
      let asked = 0
      const handle: LoopbackHandler = (_, response) => {
        asked += 1
        if (asked <= 10) response.writeHead(429, { "retry-after": "1" })
        response.end('{"scores":{"quality":1}}')
      }
      expect(await scored(handle, { max_retries: 0 })).toEqual({ quality: 1 })
      expect(server.requests).toHaveLength(11)
    },
  )

  it.each<[string, LoopbackHandler]>([
    ["inference_unauthorized", (_, response) => void response.writeHead(401).end("no")],
    ["bad_response", (_, response) => void response.writeHead(400).end("no such metric")],
    ["bad_response", (_, response) => void response.end("<html>")],
    ["request_timeout", () => {}],
  ])("fails with %s", verifies("metric.remote"), async (code, handle) => {
    await expect(scored(handle, { timeout: 0.1 })).rejects.toMatchObject({ code })
    expect(server.requests).toHaveLength(1)
  })

  it(
    "waits for a bounded time between attempts, and accepts at most 100 retries",
    verifies("metric.remote"),
    async () => {
      const waits: number[] = []
      server = await startLoopbackServer((_, response) => void response.writeHead(503).end())
      const params = { url: server.url, scores: { a: "a" }, max_retries: 100 }
      const plan = await openMetrics([ROW], { remote: { type: "remote", params } })
      const failing = scoreRows(plan, { onRetry: ({ waitMs }) => void waits.push(waitMs) })
      await expect(failing).rejects.toMatchObject({ context: { status: 503 } })
      expect(server.requests).toHaveLength(101)
      expect(Math.max(...waits)).toBeLessThanOrEqual(8000)
      for (const max_retries of [101, 1e9, -1, 1.5, "3"]) {
        const metric = { type: "remote", params: { ...params, max_retries } }
        await expect(openMetrics([ROW], { remote: metric })).rejects.toThrow(
          /max_retries.* give a whole number from 0 to 100/,
        )
      }
      await openMetrics([ROW], { remote: { type: "remote", params: { ...params, max_retries: null } } })
    },
  )

  it.each([
    ["deeper than 64 levels", `{"scores":{"quality":1},"deep":${"[".repeat(100)}${"]".repeat(100)}}`],
    ["deeper than 64 levels", `{"scores":{"quality":1},"deep":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`],
    ["longer than 1 MiB", `{"scores":{"quality":1},"much":"${"x".repeat(1024 * 1024)}"}`],
  ])("refuses an answer that is %s", verifies("metric.remote"), async (why, text) => {
    await expect(scored((_, response) => void response.end(text))).rejects.toMatchObject({
      code: "bad_response",
      message: expect.stringContaining(why),
    })
  })

  it("keeps its key out of errors", verifies("metric.remote"), async () => {
    const failing = scored((_, response) => void response.writeHead(400).end("no value-of-remote-key here"), {
      api_key_secret: "remote-key",
    })
    await expect(failing).rejects.toThrow("answered 400: 'no *** here'")
  })

  it(
    "fails with a condition if its service does not exist, and its definition is checked at the launch",
    verifies("metric.remote"),
    async () => {
      server = await startLoopbackServer(() => {})
      const metric = (params: Record<string, unknown>) => openMetrics([ROW], { remote: { type: "remote", params } })
      const plan = await metric({ url: "http://127.0.0.1:9/x", scores: { a: "a" }, max_retries: 0 })
      await expect(scoreRows(plan)).rejects.toMatchObject({ code: "inference_unreachable" })
      await expect(metric({ url: "ftp://x", scores: { a: "a" } })).rejects.toThrow(/give an http or https URL/)
      await expect(metric({ url: server.url, scores: {} })).rejects.toThrow(/needs a JSONPath for each score/)
      await expect(metric({ url: server.url, scores: { a: "$[" } })).rejects.toThrow(/can't be read at position/)
    },
  )
})
