import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startLoopbackServer, verifies, type LoopbackHandler, type LoopbackServer } from "@assay/testkit"
import { afterEach, expect, it, vi } from "vitest"
import { loadSettings } from "../settings/load-settings.ts"
import { createTestToken } from "../testing/create-tokens.ts"
import { JOBS } from "../testing/evaluation-launch.ts"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
const PATH = "/hooks/T0KEN"
const WAIT = { timeout: 10_000, interval: 10 }
const opened: AsyncDisposableStack[] = []
afterEach(async () => {
  for (const stack of opened.splice(0)) await stack.disposeAsync()
})

function never(): never {
  throw new Error("No request arrived.")
}

async function start(
  handle: LoopbackHandler,
  env: Readonly<Record<string, string>> = {},
): Promise<[TestServer, LoopbackServer]> {
  const stack = new AsyncDisposableStack()
  opened.push(stack)
  const receiver = stack.adopt(await startLoopbackServer(handle), (one) => one.close())
  const settings = { ASSAY_WEBHOOK_URL: `${receiver.url}${PATH}`, ASSAY_WEBHOOK_SECRET: SECRET, ...env }
  const server = stack.use(await startTestServer(settings))
  return [server, receiver]
}

/** Launches a job with a gate that four answers can't decide. */
async function launch(server: TestServer, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const rows = ["a", "b", "c", "d"].map((said) => ({ said, response: said }))
  const check = ["{{ sample.output_text }}", "equals", "{{ item.said }}"]
  const tasks = { say: { type: "chat-completion", metrics: { same: { type: "string-check", params: { check } } } } }
  const params = { gates: [{ task: "say", metric: "same", op: ">=", value: 0.8 }] }
  const config = { type: "custom", name: "qa", params, tasks }
  const { status, text } = await server.call("POST", `${JOBS}?skip_validation_checks=1`, {
    json: { target: { type: "rows", rows }, config },
    headers,
  })
  expect([status, text]).toEqual([201, expect.anything()])
}

it(
  "A server posts the end of a job with verdict, scores and a link",
  verifies("webhooks.outbox", "webhooks.body"),
  async () => {
    const [server, receiver] = await start((_request, response) => void response.writeHead(204).end(), {
      ASSAY_PUBLIC_URL: "https://assay.example/",
    })
    await launch(server)
    await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), WAIT)
    const { method, url, headers, body } = receiver.requests[0] ?? never()
    expect([method, url, headers["content-type"]]).toEqual(["POST", PATH, "application/json"])
    expect(headers["webhook-signature"]).toMatch(/^v1,\S{44}$/)
    const { type, data } = JSON.parse(String(body))
    expect([type, data]).toEqual([
      "evaluation.job.ended",
      expect.objectContaining({
        workspace: "default",
        name: "qa",
        status: "COMPLETED",
        verdict: "INCONCLUSIVE",
        gates: [expect.objectContaining({ name: "say.same.string-check", limit: ">= 0.8", verdict: "INCONCLUSIVE" })],
        scores: [expect.objectContaining({ name: "say.same.string-check", value: 1 })],
        url: `https://assay.example/jobs/${data.job}`,
      }),
    ])
    expect(server.log()).not.toMatch(/whsec_|T0KEN/)
  },
)

it(
  "A receiver that redirects, never ends its answer or resets the connection costs nothing but a further try",
  verifies("webhooks.hosts"),
  async () => {
    let isStreaming = true
    const faults: LoopbackHandler[] = [
      (_request, response) => void response.writeHead(307, { location: "/stolen", "retry-after": "0" }).end(),
      ({ raw }) => void raw.socket.destroy(),
      (_request, response) => {
        response.writeHead(200)
        response.on("close", () => (isStreaming = false))
        const write = (): void => {
          if (isStreaming && response.write(Buffer.alloc(65_536))) setImmediate(write)
        }
        response.on("drain", write)
        write()
      },
    ]
    const [server, receiver] = await start((request, response) => faults.shift()?.(request, response))
    await launch(server)
    await vi.waitFor(() => expect(server.log()).toContain("the receiver answered 307"), WAIT)
    expect(receiver.requests.map(({ url }) => url)).toEqual([PATH])
    faults.shift()
    // The next job is a new message, and does not wait for the one before.
    await launch(server)
    await vi.waitFor(() => expect(server.log()).toContain("webhook delivered"), WAIT)
    await vi.waitFor(() => expect(isStreaming).toBe(false), WAIT)
  },
)

it(
  "A server that stops does not wait for a receiver that hangs, and the next one sends the message again",
  verifies("webhooks.outbox"),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-webhooks-"))
    let isHanging = true
    const receiver = await startLoopbackServer((_request, response) => void (isHanging || response.end()))
    const env = { ASSAY_WEBHOOK_URL: receiver.url, ASSAY_WEBHOOK_SECRET: SECRET }
    {
      await using server = await startTestServer(env, folder)
      await launch(server)
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), WAIT)
    }
    isHanging = false
    {
      await using server = await startTestServer(env, folder)
      await vi.waitFor(() => expect(server.log()).toContain("webhook delivered"), WAIT)
    }
    expect(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
    await receiver.close()
    await rm(folder, { recursive: true })
  },
)

it(
  "An address that is private is refused at the start of a server with auth, and again where a name leads to it",
  verifies("webhooks.hosts"),
  async () => {
    const load = (env: Record<string, string>) =>
      loadSettings({ env: { ASSAY_AUTH: "tokens", ...env }, cwd: import.meta.dirname })
    const to = (url: string, more = {}) => load({ ASSAY_WEBHOOK_URL: url, ASSAY_WEBHOOK_SECRET: SECRET, ...more })
    expect(() => to("http://10.0.0.1/T0KEN")).toThrow(/ASSAY_WEBHOOK_URL: .*private.*ASSAY_ALLOWED_INFERENCE_HOSTS/)
    expect(() => to("http://10.0.0.1/T0KEN")).toThrow(
      expect.objectContaining({ message: expect.not.stringContaining("T0KEN") }),
    )
    expect(
      to("http://10.0.0.1/T0KEN", { ASSAY_ALLOWED_INFERENCE_HOSTS: "10.0.0.0/8" }).settings.ASSAY_WEBHOOK_SECRET,
    ).toEqual([SECRET])
    expect(() => load({ ASSAY_WEBHOOK_URL: "https://hooks.example/x" })).toThrow("ASSAY_WEBHOOK_SECRET")
    expect(() => load({ ASSAY_WEBHOOK_URL: "https://hooks.example/x", ASSAY_WEBHOOK_TEMPLATE: "slack" })).not.toThrow()
    expect(() => load({ ASSAY_WEBHOOK_SECRET: "whsec_short" })).toThrow("ASSAY_WEBHOOK_SECRET")
    const refused = start(() => {}, { ASSAY_WEBHOOK_TEMPLATE: "{{ nothing }}" })
    await expect(refused).rejects.toMatchObject({ code: "bad_settings" })
    // Because a network is listed, a name could lead into it, and is checked when it is connected to.
    const receiver = await startLoopbackServer(() => {})
    const env = {
      ASSAY_AUTH: "tokens",
      ASSAY_ALLOWED_INFERENCE_HOSTS: "10.0.0.0/8",
      ASSAY_WEBHOOK_URL: receiver.url.replace("127.0.0.1", "localhost"),
      ASSAY_WEBHOOK_SECRET: SECRET,
    }
    await using server = await startTestServer(env)
    const { token } = await createTestToken(server, "root", { workspace: "*", role: "admin" })
    await launch(server, { authorization: `Bearer ${token}` })
    await vi.waitFor(() => expect(server.log()).toMatch(/not delivered|not listed/), WAIT)
    expect([server.log(), receiver.requests]).toEqual([expect.stringContaining("is private, and is not listed"), []])
    await receiver.close()
  },
)
