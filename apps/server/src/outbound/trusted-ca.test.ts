import { createTestCertificates, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { GUARDRAILS, says, startJudge, type TestJudge } from "../testing/start-judge.ts"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

const certificates = createTestCertificates()

let server: TestServer
let judge: TestJudge
beforeAll(async () => {
  judge = await startJudge(undefined, { tls: certificates.leafOnly })
  server = await startTestServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await judge.fake.close()
})

async function check(trust: { readonly ca?: string }) {
  const models = judge.data.models.map((model) => ({ ...model, ...trust }))
  const guardrails = { config: { ...judge.data, models } }
  const json = { messages: says("Hello"), guardrails }
  return server.call("POST", `${GUARDRAILS}/default/checks`, { json })
}

it(
  "A connection trusts the certificate authority that the model names, and no other unknown one",
  verifies("inference.ca"),
  async () => {
    const trusted = await check({ ca: certificates.ca })
    expect([trusted.status, trusted.json.status]).toEqual([200, "success"])
    const unknown = await check({})
    expect([unknown.status, unknown.json.code]).toEqual([502, "inference_tls"])
  },
)

it("A ca that is not a certificate is reported as such", verifies("inference.tls"), async () => {
  const { status, json } = await check({ ca: "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----" })
  expect([status, json.code]).toEqual([502, "inference_tls"])
  expect(json.detail).toContain("`ca`")
})
