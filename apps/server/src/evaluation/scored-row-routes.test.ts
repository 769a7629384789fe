// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase, type FakeModel, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest"
import { askConfig, CHECK, endOf, EVALUATION, modelTarget } from "../testing/evaluation-bodies.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const JOBS = `${EVALUATION}/jobs`
const ROWS = [
  { answer: "yes", expected: "yes", note: "first" },
  { answer: "no", expected: "yes", note: "a REFUND" },
  { answer: "no", expected: "no", note: "refund, please" },
]

async function launch(server: TestServer, rows: readonly object[] = ROWS): Promise<string> {
  const { json } = await server.call("POST", `${JOBS}?skip_validation_checks=1`, {
    json: { target: { type: "rows", rows }, config: CHECK },
  })
  await endOf(server, json.id)
  return json.id
}

const numbers = (json: { data: { row_index: number }[] }) => json.data.map(({ row_index }) => row_index)

describe.each(["sqlite", "postgres"] as const)("the rows of a job on %s", (kind) => {
  let server: TestServer
  let storage: string
  let job: string
  beforeAll(async () => {
    storage = await mkdtemp(join(tmpdir(), "assay-rows-"))
    server = await startTestServer(
      kind === "sqlite"
        ? {}
        : {
            DATABASE_URL: await createDatabase(inject("postgresUrl")),
            ASSAY_SHARED_LOCAL: "1",
            ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: storage }),
            ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
          },
    )
    job = await launch(server)
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(storage, { recursive: true })
  })
  const get = (query: string) => server.call("GET", `${JOBS}/${job}/${query}`)

  it("are listed in the order of the dataset, with scores and totals", verifies("eval.rows.page"), async () => {
    const { status, json } = await get("rows?limit=2")
    expect(status).toBe(200)
    expect(json).toMatchObject({
      object: "list",
      total: 3,
      matched: 3,
      next_offset: 2,
      scores: ["accuracy.string-check"],
    })
    expect(json.data[1]).toMatchObject({
      task: "qa",
      row_index: 1,
      repeat: 0,
      attempt: 1,
      item: ROWS[1],
      scores: { accuracy: { "string-check": 0 } },
      error: null,
      condition: null,
    })
    expect(numbers((await get("rows?offset=2")).json)).toEqual([2])
  })

  it("are sorted and filtered by score, and by text in any case", verifies("eval.rows.filter"), async () => {
    expect(numbers((await get("rows?sort=-score:accuracy")).json)).toEqual([0, 2, 1])
    expect(numbers((await get("rows?sort=-task")).json)).toEqual([0, 1, 2])
    expect(numbers((await get("rows?sort=condition")).json)).toEqual([0, 1, 2])
    const wrong = await get("rows?filter[score:accuracy][$lt]=0.5")
    expect([numbers(wrong.json), wrong.json.matched, wrong.json.total]).toEqual([[1], 1, 3])
    expect(numbers((await get("rows?filter[text][$like]=Refund&filter[score:accuracy]=1")).json)).toEqual([2])
    expect(numbers((await get("rows?filter[error][$nin]=null")).json)).toEqual([])
    const any = "filter[any:error][$nin]=null&filter[any:score:accuracy][$lt]=0.5"
    expect(numbers((await get(`rows?${any}`)).json)).toEqual([1])
  })

  it("are shown beside those of another job, the most changed first", verifies("eval.rows.order"), async () => {
    const other = await launch(server, [ROWS[0] ?? {}, { ...ROWS[1], answer: "yes" }])
    const { json } = await get(`rows?against=${other}&sort=changed:accuracy`)
    expect(numbers(json)).toEqual([1, 0, 2])
    const beside = json.data.map(({ against }: { against: { scores: object } | null }) => against?.scores ?? null)
    expect(beside).toEqual([{ accuracy: { "string-check": 1 } }, { accuracy: { "string-check": 1 } }, null])
  })

  it("that two jobs have are listed side by side, the most changed first", verifies("eval.compare.rows"), async () => {
    const other = await launch(server, [ROWS[0] ?? {}, { ...ROWS[1], answer: "yes" }])
    const compare = (query: string) => server.call("GET", `${EVALUATION}/compare/rows?a=${job}&b=${other}&${query}`)
    const { status, json } = await compare("metric=accuracy&limit=1")
    expect([status, json]).toMatchObject([
      200,
      { metric: "accuracy.string-check", total: 2, matched: 2, only_a: 1, only_b: 0, next_offset: 1 },
    ])
    expect(json.data).toMatchObject([
      {
        row_index: 1,
        a: { item: { answer: "no" }, score: 0 },
        b: { item: { answer: "yes" }, score: 1 },
        difference: 1,
      },
    ])
    expect(numbers((await compare("metric=accuracy&offset=1")).json)).toEqual([0])
    expect(numbers((await compare("metric=accuracy&sort=difference")).json)).toEqual([0, 1])
    const found = (await compare("metric=accuracy&filter[text][$like]=REFUND")).json
    expect([numbers(found), found.matched, found.total]).toEqual([[1], 1, 2])
    expect(numbers((await compare("metric=accuracy&change=up")).json)).toEqual([1])
    const [beside] = (await compare(`metric=accuracy&limit=1&others=${other},${job}`)).json.data
    expect(beside.others).toEqual([
      expect.objectContaining({ score: beside.b.score, output: beside.b.output }),
      expect.objectContaining({ score: beside.a.score, output: beside.a.output }),
    ])
    expect((await compare(`metric=accuracy&others=${Array(9).fill(other).join()}`)).status).toBe(422)
    expect((await compare("metric=f1")).status).toBe(422)
    expect((await compare("metric=accuracy&sort=worst")).status).toBe(422)
  })

  it("are returned whole, one by one", verifies("eval.rows.whole"), async () => {
    const { json } = await get("rows/qa/2")
    expect(json).toMatchObject({ task: "qa", row_index: 2, attempts: [{ repeat: 0, attempt: 1, item: ROWS[2] }] })
    const missing = await get("rows/qa/9")
    expect([missing.status, missing.json.detail]).toEqual([404, expect.stringContaining("has no row 9 of task 'qa'")])
  })

  it("have a distribution of each score", verifies("eval.rows.distribution"), async () => {
    const { json } = await get("distribution?metric=accuracy&task=qa")
    expect(json).toMatchObject({
      metric: "accuracy",
      task: "qa",
      count: 3,
      nan_count: 0,
      interval: { confidence: 0.95 },
    })
    expect(json.mean).toBeCloseTo(2 / 3)
    const filtered = await get("distribution?metric=accuracy&filter[text][$like]=refund")
    expect([filtered.json.count, filtered.json.mean]).toEqual([2, 0.5])
  })

  it("of a job that its gates have ended have an interval that is valid whenever they end it", async () => {
    const rows = Array.from({ length: 300 }, () => ROWS[0] ?? {})
    const gates = [{ task: "qa", metric: "accuracy", op: ">=", value: 0.5, stop: "early" }]
    const { json } = await server.call("POST", `${JOBS}?skip_validation_checks=1`, {
      json: { target: { type: "rows", rows }, config: { ...CHECK, params: { gates } } },
    })
    expect(await endOf(server, json.id)).toMatchObject({ status_details: { stopped_early: { rows_total: 300 } } })
    const found = (await server.call("GET", `${JOBS}/${json.id}/distribution?metric=accuracy`)).json
    expect(found).toMatchObject({ order: "random", mean: 1, interval: { method: "betting", high: 1 } })
  })

  it("are not found after the job was deleted", async () => {
    const other = await launch(server)
    await server.call("GET", `${JOBS}/${other}/rows`)
    expect((await server.call("DELETE", `${JOBS}/${other}`)).status).toBe(204)
    expect((await server.call("GET", `${JOBS}/${other}/rows`)).status).toBe(404)
  })

  it.each([
    ["rows?sort=worst", 422, "Sort by index, task, output, latency, condition, verdict, error, score:<metric>"],
    ["rows?sort=score:f1", 422, "the scores so far are 'accuracy.string-check'"],
    ["rows?sort=changed:accuracy", 422, "need the other job in `against`"],
    ["rows?filter[colour]=red", 400, "Unknown filter field 'colour'"],
    ["rows?filter[latency][$like]=5", 400, "numbers are compared with $eq, $lt"],
    ["rows?filter[latency][$gte]=0x1", 400, "'0x1' is not a number"],
    ["rows?filter[score:accuracy]=high", 400, "'high' is not a number"],
    ["rows?against=eval-missing", 404, "'eval-missing' not found"],
    ["distribution?metric=f1", 422, "No row has the score 'f1'"],
  ])("are refused for a query that can't be answered: %s", async (query, status, words) => {
    const answer = await get(query)
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(words)])
  })
})

it(
  "The rows of a job that runs are listed as far as they are answered, also after a restart",
  verifies("eval.rows.page", "eval.rows.requests", "eval.rows.distribution-so-far"),
  async () => {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const folder = await mkdtemp(join(tmpdir(), "assay-rows-"))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const echo = async ({ messages }: Parameters<FakeModel>[0]) => {
      const content = String(messages[0]?.content)
      if (content === "c") await held
      return { content }
    }
    const fake = await startFakeInference({ models: { echo } })
    onTestFinished(() => fake.close())
    const first = await startTestServer({}, folder)
    await first.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
    await first.call("PUT", `${FILES}/default/filesets/words/-/rows.csv`, { body: "word\na\nb\nc\nd\n" })
    const config = { ...askConfig("assay://datasets/default/words/rows.csv"), params: { parallelism: 1 } }
    const { json } = await first.call("POST", `${JOBS}?skip_validation_checks=1`, {
      json: { target: modelTarget(fake.url), config },
    })
    const outputs = async (server: TestServer) => {
      const page = await server.call("GET", `${JOBS}/${json.id}/rows`)
      return page.json.data.map(({ output }: { output: string }) => output)
    }
    await expect.poll(() => outputs(first)).toEqual(["a", "b"])
    const distribution = async () => (await first.call("GET", `${JOBS}/${json.id}/distribution?metric=same`)).json
    // The first rows of a file can differ from the others.
    expect(await distribution()).toMatchObject({ order: "file", count: 2, mean: 1, interval: null })
    release()
    await endOf(first, json.id)
    expect(await distribution()).toMatchObject({ order: "complete", count: 4, interval: { method: "wilson" } })
    expect(await outputs(first)).toEqual(["a", "b", "c", "d"])
    const whole = await first.call("GET", `${JOBS}/${json.id}/rows/qa/1`)
    const asked = { to: "echo", body: { model: "echo", messages: [{ role: "user", content: "b" }] } }
    expect(whole.json.attempts).toMatchObject([{ requests: [{ metric: null, requests: [asked], reason: null }] }])
    await first[Symbol.asyncDispose]()
    await using second = await startTestServer({}, folder)
    expect(await outputs(second)).toEqual(["a", "b", "c", "d"])
  },
)
