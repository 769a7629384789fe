// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtempDisposableSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase, type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { endOf, EVALUATION } from "../testing/evaluation-bodies.ts"
import { ENTITIES, FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const JOBS = `${EVALUATION}/jobs`
const KEY = "sk-judge-of-outputs"
const storage = mkdtempDisposableSync(join(tmpdir(), "assay-rescored-"))
afterAll(() => storage.remove())

let fake: FakeInference
let onJudged: () => unknown = () => {}
beforeAll(async () => {
  const target = () => ({ content: "an answer" })
  const judge = async () => {
    await onJudged()
    return { content: '{"good": 1}' }
  }
  fake = await startFakeInference({ models: { target, judge }, key: KEY })
})
beforeEach(() => {
  onJudged = () => {}
  fake.faults.clear()
})
afterAll(() => fake.close())

const endpoint = (model_id: string, more: object = {}) => ({
  model: { api_endpoint: { url: `${fake.url}/v1`, model_id, ...more } },
})
const contains = (text: string) => ({
  type: "string-check",
  params: { check: ["{{ sample.output_text }}", "contains", text] },
})
const asked = () => fake.requests.map(({ chat }) => String(chat?.["model"]))
const config = (metrics: object, params: object = {}) => ({
  type: "custom",
  params: { parallelism: 1, max_retries: 0, cache: false, ...params },
  tasks: { qa: { type: "chat-completion", metrics } },
})
const good = (more: object = {}) => ({
  type: "llm-judge",
  params: { ...endpoint("judge", more), template: "{{ sample.output_text }}", scores: { good: { type: "int" } } },
})

/** Launches a job that asks the target about rows. */
async function launchSource(server: TestServer, metrics: object, params: object = {}): Promise<string> {
  const { tasks, ...rest } = config(metrics, params)
  const template = { messages: [{ role: "user", content: "{{ item.word }}" }] }
  const dataset = { files_url: "hf://datasets/default/words/rows.jsonl" }
  const qa = { ...tasks.qa, dataset, params: { template } }
  const { json } = await server.call("POST", `${JOBS}?skip_validation_checks=1`, {
    json: { target: { type: "model", ...endpoint("target", { api_key: KEY }) }, config: { ...rest, tasks: { qa } } },
  })
  return json.id
}

async function writeWords(server: TestServer): Promise<void> {
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
  const body = ["one", "two", "three"].map((word) => `${JSON.stringify({ word })}\n`).join("")
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body })
}

describe.each(["sqlite", "postgres"] as const)("a job that scores outputs of another one on %s", (kind) => {
  let server: TestServer
  beforeAll(async () => {
    const settings =
      kind === "sqlite"
        ? {}
        : {
            DATABASE_URL: await createDatabase(inject("postgresUrl")),
            ASSAY_SHARED_LOCAL: "1",
            ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: storage.path }),
            ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
          }
    server = await startTestServer(settings)
    await writeWords(server)
    await server.call("POST", `${SECRETS}/default/secrets`, { json: { name: "judge-key", value: KEY } })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  it("asks its judge alone, and is comparable by its metrics", verifies("eval.rescore.job"), async () => {
    const id = await launchSource(server, { same: contains("one") })
    await endOf(server, id)
    const before = asked().length
    const metrics = { same: contains("answer"), good: good({ api_key_secret: "default/judge-key" }) }
    const launched = await server.call("POST", `${JOBS}/${id}/rescore`, { json: { config: config(metrics) } })
    expect([launched.status, launched.json.rescored_from]).toEqual([201, id])
    const job = await endOf(server, launched.json.id)
    expect(job).toMatchObject({
      status: "COMPLETED",
      rescored_from: id,
      target: { model: { api_endpoint: { model_id: "target" } } },
      config: { tasks: { qa: { dataset: { files_url: "hf://datasets/default/words/rows.jsonl" } } } },
      pins: [{ fileset: "default/words" }],
      status_details: { samples_processed: 3 },
    })
    // The launch check asks the judge too.
    expect(new Set(asked().slice(before))).toEqual(new Set(["judge"]))
    const { json: result } = await server.call("GET", `${JOBS}/${job.id}/results`)
    expect(result.rescored_from).toBe(id)
    expect(result.tasks.qa.metrics.good.scores.good).toMatchObject({ value: 1, stats: { count: 3 } })
    const pure = await server.call("POST", `${JOBS}/${id}/rescore`, {
      json: { config: config({ same: contains("answer") }) },
    })
    const known = asked().length
    await endOf(server, pure.json.id)
    expect(asked()).toHaveLength(known)
    const verdictOf = async (other: string) =>
      (await server.call("GET", `${EVALUATION}/compare?jobs=${other},${job.id}`)).json.verdict
    expect(await verdictOf(id)).toBeNull()
    expect(await verdictOf(pure.json.id)).toBe("PASS")
    const found = await server.call("GET", `${JOBS}?search[rescored_from]=${id}`)
    const ids = found.json.data.map((one: { id: string }) => one.id)
    expect(new Set(ids)).toEqual(new Set([job.id, pure.json.id]))
  })
})

describe("a server that scores outputs again", () => {
  let server: TestServer
  let tokens: ReadonlyMap<string, string>
  beforeAll(async () => {
    server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_INFERENCE_HOSTS: "127.0.0.1" })
    tokens = await createTokens(server, {
      admin: [{ workspace: "*", role: "admin" }],
      reader: [
        { workspace: "default", role: "viewer" },
        { workspace: "own", role: "editor" },
      ],
    })
    await post(ENTITIES, { name: "own" })
    await writeWords(asAdmin)
  })
  afterAll(() => server[Symbol.asyncDispose]())
  const bearer = (name: string) => ({ authorization: `Bearer ${tokens.get(name)}` })
  const callAs =
    (name: string): TestServer["call"] =>
    (method, path, options) =>
      server.call(method, path, { ...options, headers: bearer(name) })
  const asAdmin = { call: (...given: Parameters<TestServer["call"]>) => callAs("admin")(...given) } as TestServer
  const post = (path: string, json?: unknown, name = "admin") =>
    callAs(name)("POST", path, json === undefined ? {} : { json })
  const pure = { config: config({ same: contains("answer") }) }

  it(
    "fails such a job if its source did not ask all rows, until that one has",
    verifies("eval.rescore.job"),
    async () => {
      fake.faults.add({
        when: ({ chat }) => JSON.stringify(chat).includes("two"),
        fault: { kind: "answer", status: 401, body: { error: { message: "No key." } } },
      })
      const id = await launchSource(asAdmin, { same: contains("one") })
      expect((await endOf(asAdmin, id)).status).toBe("FAILED")
      const { json } = await post(`${JOBS}/${id}/rescore`, {
        config: config({ same: contains("answer") }, { max_failed_share: 0.9 }),
        description: "again",
      })
      const failed = await endOf(asAdmin, json.id)
      expect(failed).toMatchObject({
        status: "FAILED",
        description: "again",
        status_details: {
          message: expect.stringContaining("The earlier job is FAILED with 2 of its 3 answers: resume it"),
        },
      })
      fake.faults.clear()
      await post(`${JOBS}/${id}/resume`)
      expect((await endOf(asAdmin, id)).status).toBe("COMPLETED")
      const known = asked().length
      expect((await post(`${JOBS}/${json.id}/retry-failed`)).status).toBe(200)
      expect(await endOf(asAdmin, json.id)).toMatchObject({
        status: "COMPLETED",
        status_details: { samples_processed: 3, samples_failed: 0 },
      })
      expect(asked()).toHaveLength(known)
    },
  )

  it("scores the turns of conversations, and asks nobody who held them", verifies("eval.rescore.job"), async () => {
    const conversation = (text: string) => ({
      type: "custom",
      params: { parallelism: 1, cache: false },
      tasks: {
        qa: {
          type: "conversation",
          dataset: { rows: [{ word: "one" }] },
          params: {
            conversation: {
              turns: ["{{ item.word }}", "And then?"].map((user) => ({ user, metrics: { said: contains(text) } })),
            },
          },
          metrics: { never: { type: "calls", params: { never: "cancel" } } },
        },
      },
    })
    const target = { type: "model", ...endpoint("target", { api_key: KEY }) }
    const source = await post(`${JOBS}?skip_validation_checks=1`, { target, config: conversation("nothing") })
    expect(await endOf(asAdmin, source.json.id)).toMatchObject({ status: "COMPLETED" })
    const known = asked().length
    const { json } = await post(`${JOBS}/${source.json.id}/rescore`, { config: conversation("answer") })
    expect(await endOf(asAdmin, json.id)).toMatchObject({ status: "COMPLETED" })
    expect(asked()).toHaveLength(known)
    const { json: result } = await callAs("admin")("GET", `${JOBS}/${json.id}/results`)
    const values = Object.entries<{ scores: object }>(result.tasks.qa.metrics).map(([key, { scores }]) => [
      key,
      Object.values(scores)[0].value,
    ])
    expect(values).toEqual([
      ["said", 1],
      ["said@1", 1],
      ["said@2", 1],
      ["never", 1],
    ])
  })

  it("lets viewers score outputs in a workspace of their own", verifies("eval.rescore.job"), async () => {
    const id = await launchSource(asAdmin, { same: contains("one") })
    const early = await post(`${JOBS}/${id}/rescore`, pure)
    expect([early.status, early.json.code]).toEqual([409, "job_not_final"])
    await endOf(asAdmin, id)
    expect((await post(`${JOBS}/${id}/rescore`, pure, "reader")).status).toBe(403)
    const own = await post(`${JOBS}/${id}/rescore`, { ...pure, namespace: "own" }, "reader")
    expect([own.status, own.json.namespace]).toEqual([201, "own"])
    expect((await endOf(server, own.json.id, bearer("reader"))).status).toBe("COMPLETED")
    const faulty = config({ same: { type: "bleuu" } })
    const refused = await post(`${JOBS}/${id}/rescore`, { config: faulty })
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining("did you mean 'bleu'")])
    const other = { ...pure.config, tasks: { a: pure.config.tasks.qa, b: pure.config.tasks.qa } }
    const unfit = await post(`${JOBS}/${id}/rescore`, { config: other })
    expect([unfit.status, unfit.text]).toEqual([
      422,
      expect.stringContaining("the job whose outputs are scored has 'qa'"),
    ])
    const locked = await post(`${JOBS}/${id}/rescore`, { config: config({ good: good({ api_key: "wrong" }) }) })
    expect(locked.json).toMatchObject({ code: "launch_refused", failed_checks: [{ code: "inference_unauthorized" }] })
    const score = { tasks: { qa: { metrics: { more: contains("an") } } } }
    expect((await post(`${JOBS}/${own.json.id}/score`, score, "reader")).status).toBe(200)
    expect((await endOf(server, own.json.id, bearer("reader"))).status_details.samples_processed).toBe(3)
    const { json: result } = await callAs("reader")("GET", `${JOBS}/${own.json.id}/results`)
    expect(Object.keys(result.tasks.qa.metrics)).toEqual(["same", "more"])
  })

  it(
    "continues such a job after it was cancelled, and not without its source",
    verifies("eval.rescore.job"),
    async () => {
      const id = await launchSource(asAdmin, { same: contains("one") })
      await endOf(asAdmin, id)
      let judged = 0
      const stopped = Promise.withResolvers<void>()
      onJudged = () => (++judged === 2 ? stopped.promise : undefined)
      const body = { config: config({ good: good({ api_key: KEY }) }) }
      const { json } = await post(`${JOBS}/${id}/rescore?skip_validation_checks=1`, body)
      await expect.poll(() => judged).toBe(2)
      await post(`${JOBS}/${json.id}/cancel`)
      stopped.resolve()
      expect((await endOf(asAdmin, json.id)).status).toBe("CANCELLED")
      await post(`${JOBS}/${json.id}/resume`)
      expect((await endOf(asAdmin, json.id)).status).toBe("COMPLETED")
      // The request that was stopped is sent again.
      expect(judged).toBe(4)
      expect((await callAs("admin")("DELETE", `${JOBS}/${id}`)).status).toBe(204)
      await post(`${JOBS}/${json.id}/retry-failed`)
      expect(await endOf(asAdmin, json.id)).toMatchObject({
        status: "FAILED",
        status_details: { message: expect.stringContaining(`The earlier job '${id}' was deleted`) },
      })
      expect(
        (await callAs("admin")("GET", `${JOBS}/${json.id}/results`)).json.tasks.qa.metrics.good.scores.good.value,
      ).toBe(1)
    },
  )
})
