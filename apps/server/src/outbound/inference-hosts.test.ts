import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createTestToken } from "../testing/create-tokens.ts"
import { GUARDRAILS, says, startJudge, type TestJudge } from "../testing/start-judge.ts"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
let judge: TestJudge
let headers: Record<string, string>
beforeAll(async () => {
  judge = await startJudge()
  // Because a network is listed, a name can resolve into it, so it is checked only on connection.
  server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_INFERENCE_HOSTS: "10.0.0.0/8" })
  const { token } = await createTestToken(server, "root", { workspace: "*", role: "admin" })
  headers = { authorization: `Bearer ${token}` }
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await judge.fake.close()
})

const localhost = () => judge.fake.url.replace("127.0.0.1", "localhost")
const dataAt = (url: string) => ({ ...judge.data, models: judge.data.models.map((model) => ({ ...model, url })) })
const check = (policies = {}) =>
  server.call("POST", `${GUARDRAILS}/default/checks`, {
    json: { messages: says("Hello"), guardrails: { config: { ...dataAt(localhost()), policies } } },
    headers,
  })

it(
  "A configuration with a private endpoint is refused when it is stored",
  verifies("rails.hosts", "settings.allowed-inference-hosts"),
  async () => {
    const json = { name: "g", data: dataAt(judge.fake.url) }
    const { status, json: answer } = await server.call("POST", `${GUARDRAILS}/default/configs`, { json, headers })
    expect([status, answer.code]).toEqual([400, "host_not_allowed"])
  },
)

it(
  "The server does not connect to a private address, even if a name resolves to it",
  verifies("rails.hosts"),
  async () => {
    const { status, json } = await check()
    expect([status, json.code]).toEqual([502, "inference_unreachable"])
    expect(json.detail).toContain("ASSAY_ALLOWED_INFERENCE_HOSTS")
    expect(judge.fake.requests).toEqual([])
  },
)

it(
  "The policy of the rail decides about a message whose judge has a refused endpoint",
  verifies("rails.policies", "rails.link-local"),
  async () => {
    const { json } = await check({ "content safety check input $model=content_safety": { on_error: "block" } })
    expect(json.status).toBe("blocked")
    expect(json.guardrails_data.log.activated_rails[0]).toMatchObject({
      policy: "on_error=block",
      error: { code: "inference_unreachable" },
    })
  },
)
