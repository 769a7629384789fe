import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startLoopbackServer, verifies, type LoopbackHandler, type LoopbackServer } from "@assay/testkit"
import { expect, it, vi } from "vitest"
import { loadSettings } from "../settings/load-settings.ts"
import { createTestToken } from "../testing/create-tokens.ts"
import { JOBS } from "../testing/evaluation-launch.ts"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`
const PATH = "/hooks/T0KEN"
const WAIT = { timeout: 10_000, interval: 10 }

const settingsFor = ({ url }: Pick<LoopbackServer, "url">) => ({
  ASSAY_WEBHOOK_URL: `${url}${PATH}`,
  ASSAY_WEBHOOK_SECRET: SECRET,
})

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
  "A server posts the end of a job, does not wait for a receiver that hangs when it stops, and posts it again at its next start",
  verifies("webhooks.outbox", "webhooks.body"),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "assay-webhooks-"))
    let isHanging = true
    const receiver = await startLoopbackServer((_request, response) => void (isHanging || response.end()))
    const env = { ...settingsFor(receiver), ASSAY_PUBLIC_URL: "https://assay.example/" }
    {
      await using server = await startTestServer(env, folder)
      await launch(server)
      await vi.waitFor(() => expect(receiver.requests).toHaveLength(1), WAIT)
    }
    isHanging = false
    {
      await using server = await startTestServer(env, folder)
      await vi.waitFor(() => expect(server.log()).toContain("webhook delivered"), WAIT)
      expect(server.log()).not.toMatch(/whsec_|T0KEN/)
    }
    const [first, second, ...others] = receiver.requests
    expect([second?.headers["webhook-id"], others]).toEqual([first?.headers["webhook-id"], []])
    expect([second?.method, second?.url, second?.headers["content-type"]]).toEqual(["POST", PATH, "application/json"])
    expect(second?.headers["webhook-signature"]).toMatch(/^v1,\S{44}$/)
    const { type, data } = JSON.parse(String(second?.body))
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
    await receiver.close()
    await rm(folder, { recursive: true })
  },
)

it(
  "A redirect of a receiver is not followed, and an answer without an end is not read",
  verifies("webhooks.hosts"),
  async () => {
    let isStreaming = true
    const answers: LoopbackHandler[] = [
      (_request, response) => void response.writeHead(307, { location: "/stolen" }).end(),
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
    const receiver = await startLoopbackServer((request, response) => answers.shift()?.(request, response))
    {
      await using server = await startTestServer(settingsFor(receiver))
      await launch(server)
      await vi.waitFor(() => expect(server.log()).toContain("the receiver answered 307"), WAIT)
      // The next job is a new message, and does not wait for the one before.
      await launch(server)
      await vi.waitFor(() => expect(server.log()).toContain("webhook delivered"), WAIT)
      await vi.waitFor(() => expect(isStreaming).toBe(false), WAIT)
    }
    expect(receiver.requests.map(({ url }) => url)).toEqual([PATH, PATH])
    await receiver.close()
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
    for (const url of ["hooks.example/T0KEN", "https://me:T0KEN@hooks.example"])
      expect(() => to(url)).toThrow(/^(?![^]*T0KEN)[^]*ASSAY_WEBHOOK_URL is not an address/)
    const wrong = { ...settingsFor({ url: "https://hooks.example" }), ASSAY_WEBHOOK_TEMPLATE: "{{ nothing }}" }
    await expect(startTestServer(wrong)).rejects.toMatchObject({ code: "bad_settings" })
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
