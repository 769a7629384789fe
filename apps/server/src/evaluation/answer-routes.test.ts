import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { askConfig, CHECK, endOf, EVALUATION, GIVEN, modelTarget } from "../testing/evaluation-bodies.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const LIVE = `${EVALUATION}/live`

let server: TestServer
let fake: FakeInference
beforeAll(async () => {
  fake = await startFakeInference()
  server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body: '{"word":"a"}\n{"word":"b"}\n' })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const live = (json: object) => server.call("POST", LIVE, { json })
const WORDS = "assay://datasets/default/words/rows.jsonl"

it("A live evaluation returns the scores of its rows and stores nothing", verifies("eval.live"), async () => {
  const { status, json } = await live({ target: GIVEN, config: CHECK })
  expect(status).toBe(200)
  expect(json).toMatchObject({
    status: "COMPLETED",
    status_details: { task_status: { qa: "completed" }, progress: 100 },
    result: { tasks: { qa: { metrics: { accuracy: { scores: { "string-check": { value: 0.5 } } } } } } },
    logs: expect.stringContaining("INFO"),
  })
  expect((await server.call("GET", `${EVALUATION}/jobs`)).json.data).toEqual([])
  expect((await server.call("GET", `${FILES}/default/filesets`)).json.data).toHaveLength(1)
})

it(
  "A live evaluation accepts stored bodies and a limited dataset, and reports what failed",
  verifies("eval.live"),
  async () => {
    await server.call("POST", `${EVALUATION}/targets`, { json: { ...modelTarget(fake.url), name: "echo" } })
    const config = { ...askConfig(WORDS), params: { limit_samples: 1, max_retries: 0 } }
    const asked = await live({ target: "default/echo", config })
    expect(asked.json).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: 1 } })
    const gone = await live({ target: modelTarget("http://127.0.0.1:9"), config })
    expect(gone.json).toMatchObject({ status: "FAILED", status_details: { message: expect.any(String) } })
  },
)

it.each([
  ["101 rows", { type: "rows", rows: Array.from({ length: 101 }, () => ({})) }, CHECK, "rows"],
  ["a dataset of any size", modelTarget("http://127.0.0.1:9"), askConfig(WORDS), "limit_samples"],
  ["a benchmark", GIVEN, { type: "benchmark" }, "type"],
])("A live evaluation refuses %s", verifies("eval.live"), async (_what, target, config, field) => {
  const { status, json } = await live({ target, config })
  expect([status, json.detail[0].loc.at(-1)]).toEqual([422, field])
})

it("A comparison compares jobs with the first of them", verifies("eval.compare"), async () => {
  const launch = async (json: object) => {
    const { id } = (await server.call("POST", `${EVALUATION}/jobs`, { json })).json
    await endOf(server, id)
    return id as string
  }
  const better = { ...GIVEN, rows: GIVEN.rows.map((row) => ({ ...row, answer: row.expected })) }
  const first = await launch({ target: GIVEN, config: CHECK, description: "before" })
  const second = await launch({ target: better, config: CHECK })
  const compare = (query: string) => server.call("GET", `${EVALUATION}/compare?${query}`)
  const { status, json } = await compare(`jobs=${first},${second}&margin=0.1`)
  expect(status).toBe(200)
  expect(json).toMatchObject({
    jobs: [{ id: first, name: "before" }, { id: second }],
    margin: 0.1,
    scores: [{ task: "qa", metric: "accuracy", score: "string-check", values: [0.5, 1] }],
  })
  const same = (await compare(`jobs=${first},${await launch({ target: GIVEN, config: CHECK })}`)).json
  expect(same.scores[0].pairs[0]).toMatchObject({ rows: 2, difference: 0, p: 1, improved: 0, worsened: 0 })
  expect((await compare(`jobs=${first},${first}`)).status).toBe(422)
  expect((await compare(`jobs=${first},eval-none`)).status).toBe(404)
})
