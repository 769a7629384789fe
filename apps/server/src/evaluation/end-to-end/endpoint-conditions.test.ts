import { createServer, type AddressInfo } from "node:net"
import { createServer as createTlsServer, type TlsOptions } from "node:tls"
import type { ConditionCode } from "@assay/schemas"
import {
  createFakeModels,
  createTestCertificates,
  type FakeInference,
  type InferenceFault,
  type ServerCertificate,
  startFakeInference,
  type TestCertificates,
  verifies,
} from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest"
import { askConfig, modelTarget } from "../../testing/evaluation-bodies.ts"
import { explainedJob } from "../../testing/explained-job.ts"
import { GUARDRAILS, says } from "../../testing/start-judge.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../../testing/start-test-server.ts"

const KEY = "sk-of-the-end-to-end-test"
const WORDS = "assay://datasets/default/words/rows.jsonl"
const ROWS = 20

let server: TestServer
let fake: FakeInference
let certificates: TestCertificates
beforeAll(async () => {
  certificates = createTestCertificates()
  const endless = () => ({ content: "word ".repeat(30_000) })
  const cut = () => ({ content: "and then", finish_reason: "length" })
  fake = await startFakeInference({
    key: KEY,
    models: { ...createFakeModels(), cut, silent: () => ({ content: "" }), endless },
  })
  server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
  const body = Array.from({ length: ROWS }, (_, row) => `${JSON.stringify({ word: `word ${row}` })}\n`).join("")
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body })
})
beforeEach(() => fake.faults.clear())
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const asking = (target: object, params: object = {}) =>
  explainedJob(server, { target, config: { ...askConfig(WORDS), params: { max_retries: 0, ...params } } })
const askFake = (more: object = {}, params: object = {}) =>
  asking(modelTarget(fake.url, { api_key: KEY, ...more }), params)

describe("a target that can't be reached", () => {
  it(
    "is reported with host and port, and ends the job",
    verifies("brief.condition.inference-unreachable"),
    async () => {
      const { status, next, condition } = await asking(modelTarget("http://127.0.0.1:1"))
      expect(status).toBe("FAILED")
      const found = condition("inference_unreachable")
      expect(found.title).toBe("Error connecting to inference server")
      expect(found.message).toContain("127.0.0.1:1 (ECONNREFUSED)")
      expect(found.evidence[0]).toContain("task 'qa', row")
      expect(found.remedy).toMatch(/^Check that the model server runs there/)
      expect(next[0]).toBe("curl -sS 'http://127.0.0.1:1/v1/models'")
    },
  )

  it.each<readonly [keyof Omit<TestCertificates, "ca">, RegExp, RegExp]>([
    [
      "selfSigned",
      /is self-signed \(DEPTH_ZERO_SELF_SIGNED_CERT\)/,
      /^Give that certificate in PEM as `ca` of the model/,
    ],
    ["leafOnly", /has an issuer that is not known here/, /^Give the certificate of its issuer in PEM as `ca`/],
    ["expired", /has expired/, /^Have it renewed/],
  ])(
    "because of its certificate, %s, is reported with the fault",
    verifies("brief.condition.inference-tls"),
    async (kind, problem, remedy) => {
      await using secure = await startSecure(certificates[kind])
      const { status, condition } = await asking(modelTarget(secure.url))
      expect(status).toBe("FAILED")
      expect(condition("inference_tls")).toMatchObject({
        title: "Inference SSL error",
        message: expect.stringMatching(problem),
        remedy: expect.stringMatching(remedy),
      })
    },
  )

  it.each([
    ["speaks only versions of TLS before 1.2", "old-version", /^Let it speak TLS 1\.2 or 1\.3/],
    ["reset the connection during the TLS handshake", "handshake-reset", /^Check that the port speaks TLS/],
  ])(
    "because it %s is reported with that as evidence",
    verifies("brief.condition.inference-tls"),
    async (said, kind, remedy) => {
      const old = {
        ...certificates.fullChain,
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT@SECLEVEL=0",
      }
      const server =
        kind === "old-version"
          ? createTlsServer(old as TlsOptions)
          : createServer((socket) => socket.on("error", () => {}).once("data", () => socket.resetAndDestroy()))
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
      onTestFinished(() => void server.close())
      const { status, condition } = await asking(
        modelTarget(`https://127.0.0.1:${(server.address() as AddressInfo).port}`),
      )
      expect(status).toBe("FAILED")
      expect(condition("inference_tls")).toMatchObject({
        message: expect.stringContaining(said),
        evidence: expect.arrayContaining([expect.stringContaining(said)]),
        remedy: expect.stringMatching(remedy),
      })
    },
  )

  it(
    "because its certificate is for another name is reported with that name",
    verifies("brief.condition.inference-tls"),
    async () => {
      await using secure = await startSecure(certificates.wrongHost)
      const { condition } = await asking(modelTarget(secure.url, { ca: certificates.ca }))
      expect(condition("inference_tls").message).toContain("is issued for 'models.example', not for this name")
      expect(condition("inference_tls").remedy).toMatch(/^Use one of its names in the URL/)
    },
  )

  it(
    "can be reached when its issuer is trusted, as the remedy says",
    verifies("brief.evaluation.endpoint"),
    async () => {
      await using secure = await startSecure(certificates.leafOnly)
      const { status, conditions } = await asking(modelTarget(secure.url, { ca: certificates.ca }))
      expect([status, conditions]).toEqual(["COMPLETED", []])
    },
  )
})

describe("a target that refuses", () => {
  it("the key ends the job at once, and the key is shown nowhere", async () => {
    const asked = fake.requests.length
    const { status, next, condition, ...job } = await askFake({ api_key: "sk-not-the-right-one-1" }, { parallelism: 2 })
    expect(status).toBe("FAILED")
    expect(condition("inference_unauthorized").remedy).toMatch(/^Generate a new key/)
    expect(next[0]).toMatch(/^assay secret set default\/eval-key-/)
    expect(fake.requests.length - asked).toBeLessThanOrEqual(4)
    expect(JSON.stringify(job) + server.log()).not.toContain("not-the-right-one")
  })

  it("the model is reported with similar names", async () => {
    const { condition } = await askFake({ model_id: "ecko" })
    expect(condition("model_not_found").remedy).toContain("similar names are 'echo'")
    expect(condition("model_not_found").message).toContain("'ecko'")
  })

  it.each<readonly [InferenceFault, ConditionCode, RegExp]>([
    [{ kind: "condition", condition: "rate-limited", retryAfter: 1 }, "rate_limited", /pause of 1 s/],
    [{ kind: "condition", condition: "quota-exhausted" }, "quota_exhausted", /^Add credit/],
    [
      { kind: "condition", condition: "context-overflow" },
      "context_overflow",
      /^5210 tokens were asked for and 4096 fit/,
    ],
    [{ kind: "condition", condition: "parameter-unsupported" }, "parameter_unsupported", /'max_tokens'/],
    [{ kind: "condition", condition: "loading" }, "model_loading", /^Wait until the model is loaded/],
    [{ kind: "condition", condition: "overloaded" }, "server_overloaded", /^Send fewer requests at once/],
    [{ kind: "condition", condition: "out-of-memory" }, "server_out_of_memory", /smaller model/],
    [{ kind: "html" }, "bad_response", /another program/i],
  ])("with %j is %s", verifies("condition.evidence"), async (fault, code, remedy) => {
    fake.faults.add({ fault })
    const { status, condition } = await askFake({}, { max_rate_limit_wait: 0 })
    expect(status).toBe("FAILED")
    expect(condition(code)).toMatchObject({ remedy: expect.stringMatching(remedy), evidence: [expect.any(String)] })
  })

  it("to answer in time is reported", async () => {
    fake.faults.add({ fault: { kind: "hang" } })
    const { condition } = await askFake({}, { request_timeout: 0.2, limit_samples: 2 })
    expect(condition("request_timeout")).toMatchObject({ count: 2 })
  })

  it("only some rows keeps the others, and is reported with their number", async () => {
    fake.faults.add({ fault: { kind: "condition", condition: "context-overflow" }, times: 3 })
    const { status, summary, next, id, condition } = await askFake({}, { max_failed_share: 0.5 })
    expect(status).toBe("COMPLETED")
    expect(summary).toContain("The prompt is longer than the model's context")
    expect(condition("context_overflow")).toMatchObject({ count: 3, message: expect.stringMatching(/^3 of 20 rows: /) })
    expect(next[0]).toBe(`assay eval results ${id}`)
  })
})

it("A target that limits the rate is reported, even if every row has an answer in the end", async () => {
  fake.faults.add({ fault: { kind: "condition", condition: "rate-limited", retryAfter: 0 }, times: 4 })
  const { status, condition } = await askFake({}, { max_retries: 0 })
  expect(status).toBe("COMPLETED")
  expect(condition("rate_limited")).toMatchObject({
    count: 4,
    message: expect.stringMatching(/^4 requests were sent again/),
  })
})

it("A target that refused a check of a guardrail holds jobs back as well", async () => {
  await server.call("POST", `${SECRETS}/default/secrets`, { json: { name: "key", value: KEY } })
  const model = { type: "main", model: "self-check", url: `${fake.url}/v1`, api_key_secret: "key" }
  const config = { models: [model], rails: { input: { flows: ["self check input"] } } }
  fake.faults.add({ fault: { kind: "condition", condition: "rate-limited", retryAfter: 2 }, times: 1 })
  const seen = fake.requests.length
  const json = { messages: says("Hello"), guardrails: { config } }
  const check = server.call("POST", `${GUARDRAILS}/default/checks`, { json })
  await vi.waitUntil(() => fake.requests.length > seen, { timeout: 15_000 })
  const refusedAt = performance.now()
  expect((await askFake({}, { limit_samples: 1 })).status).toBe("COMPLETED")
  expect(performance.now() - refusedAt).toBeGreaterThan(1900)
  expect((await check).json).toMatchObject({ status: "success" })
})

it("A target with truncated answers is reported", async () => {
  const { status, condition } = await askFake({ model_id: "cut" })
  expect(status).toBe("COMPLETED")
  expect(condition("output_truncated").message).toContain(
    "20 of 20 answers for task 'qa' (100 %) end at the token limit",
  )
})

it("A target with answers that are too long for a metric is reported, and not its rows", async () => {
  const { tasks, ...config } = askConfig(WORDS)
  const metrics = { f1: { type: "f1", params: { ground_truth: "{{ item.word }}" } } }
  const target = modelTarget(fake.url, { api_key: KEY, model_id: "endless" })
  const params = { max_retries: 0, limit_samples: 1 }
  const { condition } = await explainedJob(server, {
    target,
    config: { ...config, params, tasks: { qa: { ...tasks.qa, metrics } } },
  })
  expect(condition("answer_unusable")).toMatchObject({
    count: 1,
    evidence: [expect.stringContaining("The answer of 150000 characters is too long to be compared")],
    remedy: expect.stringContaining("`max_tokens`"),
  })
})

it(
  "A target with empty answers is reported, and its scores are in doubt",
  verifies("condition.empty-answers"),
  async () => {
    const { status, condition } = await askFake({ model_id: "silent" })
    expect(status).toBe("COMPLETED")
    expect(condition("empty_answers")).toMatchObject({
      count: 20,
      message: expect.stringContaining("20 of 20 answers for task 'qa' (100 %) have no text and no tool call"),
      evidence: expect.arrayContaining([expect.stringContaining("an empty answer")]),
    })
  },
)

async function startSecure(tls: ServerCertificate) {
  const secure = await startFakeInference({ tls })
  return { url: secure.url, [Symbol.asyncDispose]: () => secure.close() }
}
