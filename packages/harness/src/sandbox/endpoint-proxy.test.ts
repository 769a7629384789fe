import { spawnSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir, userInfo } from "node:os"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { runHarness } from "../run-harness.ts"
import { openEndpointProxy } from "./open-endpoint-proxy.ts"
import { openHarnessSandbox } from "./open-harness-sandbox.ts"

const KEY = "the-key-of-the-target"
const NO_CONTEXT = { now: () => Date.now(), random: Math.random, sleep: async () => {} }
/** Sends a request without any code of the package. */
const isSandboxPossible =
  spawnSync("/usr/bin/bwrap", ["--ro-bind", "/", "/", "--unshare-net", "--proc", "/proc", "/bin/true"]).status === 0 ||
  spawnSync("unshare", ["--map-root-user", "--mount", "--pid", "--net", "--fork", "/bin/true"]).status === 0

let model: Server
let url: string
let seen: { path: string; authorization: string | undefined; body: string; host: string | undefined }[]
beforeEach(async () => {
  seen = []
  model = createServer((asked, response) => void answer(asked, response)).listen(0, "127.0.0.1")
  await once(model, "listening")
  url = `http://127.0.0.1:${(model.address() as AddressInfo).port}/v1`
})
afterEach(() => void model.close())

async function answer(asked: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url: path = "", headers } = asked
  seen.push({ path, authorization: headers.authorization, host: headers.host, body: await text(asked) })
  if (path.startsWith("/v1/redirect")) response.writeHead(302, { location: "http://127.0.0.1:1/" })
  response.write("data: one\n\n")
  setImmediate(() => response.end("data: [DONE]\n\n"))
}

const open = (endpoint: string, key?: string, isOneModel = false) =>
  openEndpointProxy({ endpoint: { url: endpoint, model_id: "m" }, key, isOneModel, inference: {} })

async function ask(socketPath: string, path: string, headers = {}, body?: string) {
  const asked = request({ socketPath, path, method: body === undefined ? "GET" : "POST", headers })
  asked.end(body)
  const [response] = (await once(asked, "response")) as [IncomingMessage]
  return { status: response.statusCode, text: await text(response), headers: response.headers }
}

describe("the proxy of an endpoint", () => {
  it("forwards requests unchanged, with the key of the endpoint", verifies("harness.network"), async () => {
    await using proxy = await open(url, KEY)
    const own = { authorization: "Bearer added-by-assay", "content-type": "application/json", "x-own": "1" }
    const answer = await ask(proxy.socket, "/v1/chat/completions?a=b%20c", own, '{"model":"m"}')
    expect(answer).toMatchObject({ status: 200, text: "data: one\n\ndata: [DONE]\n\n" })
    expect(seen).toEqual([
      {
        path: "/v1/chat/completions?a=b%20c",
        authorization: `Bearer ${KEY}`,
        body: '{"model":"m"}',
        host: new URL(url).host,
      },
    ])
    expect(proxy.url).toBe("http://127.0.0.1:8000/v1")
  })

  it("forwards the key of a request if the endpoint has none", async () => {
    await using proxy = await open(`${url}/chat/completions`)
    await ask(proxy.socket, "/v1/embeddings", { authorization: "Bearer own" }, "{}")
    expect(seen).toMatchObject([{ path: "/v1/embeddings", authorization: "Bearer own" }])
    expect(proxy.url).toBe("http://127.0.0.1:8000/v1/chat/completions")
  })

  it.each([
    "/",
    "/admin",
    "/v10",
    "/v1/../admin",
    "/v1/%2e%2e/admin",
    "/v1/..%2fadmin",
    "/v1/..%5cadmin",
    "/v1/..;/admin",
    "/v1/%252e%252e/admin",
    "//127.0.0.1:1/v1/",
    "http://127.0.0.1:1/v1/x",
    "@127.0.0.1:1/v1",
  ])("refuses %s, which is not below the endpoint", verifies("harness.network"), async (path) => {
    await using proxy = await open(url, KEY)
    expect([400, 403]).toContain((await ask(proxy.socket, path)).status)
    expect(seen).toEqual([])
  })

  it.each(["TRACE", "DELETE", "PUT", "OPTIONS"])("refuses %s, which no model client needs", async (method) => {
    await using proxy = await open(url, KEY)
    const asked = request({ socketPath: proxy.socket, path: "/v1/models", method })
    asked.end()
    const [response] = (await once(asked, "response")) as [IncomingMessage]
    expect(response.statusCode).toBe(405)
    expect(await text(response)).toContain(method)
    expect(seen).toEqual([])
  })

  it(
    "of one model refuses every other one, also one that only some servers would read",
    verifies("harness.network"),
    async () => {
      await using proxy = await open(url, KEY, true)
      const post = (body: string, path = "/v1/chat/completions") => ask(proxy.socket, path, {}, body)
      expect(await post('{"model":"m","messages":[]}')).toMatchObject({ status: 200 })
      expect((await ask(proxy.socket, "/v1/models/m")).status).toBe(200)
      const others = [
        await post('{"model":"other"}'),
        await post('{"model":"other","model":"m"}'),
        await post('{"model":"m","\\u006dodel":"other"}'),
        await post('{"model":["m"]}'),
        await post("model=m"),
        await post('{"model":"m"}', "/v1/models/other:generateContent"),
        await post('{"model":"m"}', "/v1/deployments/other/chat/completions"),
      ]
      expect(others.map(({ status }) => status)).toEqual(others.map(() => 403))
      expect(JSON.parse(others[0]?.text ?? "")).toEqual({
        error: {
          message: "Only the model 'm' can be asked here: not 'other'. Its name is in ASSAY_TARGET_MODEL.",
          type: "invalid_request_error",
          param: null,
          code: null,
        },
      })
      expect(seen).toHaveLength(2)
      expect((await post(`{"model":"m","x":"${"x".repeat(33 * 1024 * 1024)}"}`)).status).toBe(413)
    },
  )

  it("follows no redirect", verifies("harness.network"), async () => {
    await using proxy = await open(url, KEY)
    expect(await ask(proxy.socket, "/v1/redirect")).toMatchObject({ status: 302 })
  })

  it("answers 502 if the endpoint does not answer", async () => {
    await using proxy = await open("http://127.0.0.1:1/v1", KEY)
    const { status, text: body } = await ask(proxy.socket, "/v1/models")
    expect([status, body]).toEqual([502, expect.stringContaining("ECONNREFUSED")])
  })
})

describe.runIf(isSandboxPossible)("a harness in a sandbox", () => {
  const script = `
    const { ASSAY_TARGET_URL: url, ASSAY_TARGET_API_KEY: key } = process.env
    const answer = await fetch(url + "/models", { headers: { authorization: "Bearer " + key } }).catch((error) => error)
    console.log("model: " + (answer.status ?? answer.cause.code), JSON.stringify(process.env))
    const other = await fetch("http://127.0.0.1:" + process.argv[1] + "/v1/models").catch((error) => error)
    console.log("other: " + (other.status ?? other.cause.code), process.argv[2])
    const { writeFileSync } = await import("node:fs")
    writeFileSync(process.env.ASSAY_RESULTS, '{"t":{"m":{"s":1}}}')
    process.exit(answer.status === undefined ? 4 : 0)`

  async function start(network: "none" | "endpoint" | undefined) {
    const workFolder = await mkdtemp(join(tmpdir(), "harness-"))
    const lines: string[] = []
    try {
      const { uid } = userInfo()
      const folders = [dirname(dirname(process.execPath))]
      const node = process.execPath
      const harnessSandbox = await openHarnessSandbox({ platform: "linux", uid, node, folders, hidden: [] })
      const outcome = await runHarness(
        {
          target: { type: "model", model: { api_endpoint: { url, model_id: "m" } } },
          config: {
            type: "benchmark",
            harness: {
              command: [node, "--input-type=module", "-e", script, new URL(url).port, "{{ target.url }}"],
              results: "out/deep/results.json",
              ...(network === undefined ? {} : { network }),
            },
          },
        },
        {
          workFolder,
          harnessEnvironment: {},
          harnessSandbox,
          now: () => Date.now(),
          newId: (prefix) => `${prefix}-${randomUUID()}`,
          inference: NO_CONTEXT,
          resolveKey: async () => KEY,
          resolveSecret: async () => "",
        },
        {
          signal: new AbortController().signal,
          onLog: ({ message }) => void lines.push(message),
          findings: { addLogLine: () => {}, addError: () => {} },
        },
      )
      return { end: outcome.end, scores: outcome.scores, log: lines.join("\n") }
    } finally {
      await rm(workFolder, { recursive: true, force: true })
    }
  }

  it(
    "reaches the endpoint of its target if it needs network access, without seeing the key, and nothing else",
    verifies("harness.network"),
    async () => {
      const { end, scores, log } = await start("endpoint")
      expect([end, scores]).toEqual([{ kind: "finished" }, { t: { m: { s: 1 } } }])
      expect(log).toContain("no network except the endpoint of its target")
      expect(log).toContain("model: 200")
      expect(log).toContain("other: ECONNREFUSED http://127.0.0.1:8000/v1")
      expect(log).not.toContain(KEY)
      expect(seen).toMatchObject([{ path: "/v1/models", authorization: `Bearer ${KEY}` }])
    },
  )

  it("without network access reaches nothing, and its failure says so", verifies("harness.network"), async () => {
    const { end, log } = await start(undefined)
    expect(end).toMatchObject({ kind: "failed", message: expect.stringContaining("no network") })
    expect(log).toContain("model: ECONNREFUSED")
    expect(seen).toEqual([])
  })
})
