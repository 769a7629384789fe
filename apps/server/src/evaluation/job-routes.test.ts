import { mkdtempDisposableSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest"
import { askConfig, CHECK, endOf, EVALUATION, GIVEN, modelTarget } from "../testing/evaluation-bodies.ts"
import { FILES, SECRETS, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const folder = mkdtempDisposableSync(join(tmpdir(), "assay-jobs-"))
afterAll(() => folder.remove())

const JOBS = `${EVALUATION}/jobs`
const KEY = "sk-evaluated-1"
const WORDS = "assay://datasets/default/words/rows.jsonl"

let server: TestServer
let fake: FakeInference
beforeAll(async () => {
  fake = await startFakeInference({ key: KEY })
  const prices = join(folder.path, "prices.yaml")
  writeFileSync(prices, 'currency: USD\nmodels: [{model: "ec*", prompt_price: 1, completion_price: 2}]\n')
  server = await startTestServer({ ASSAY_PRICES_FILE: prices })
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words", purpose: "dataset" } })
  const body = ["one", "two", "three"].map((word) => `${JSON.stringify({ word })}\n`).join("")
  await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body })
})
beforeEach(() => fake.faults.clear())
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

const get = (path: string) => server.call("GET", path)
const post = (path: string, json?: unknown) => server.call("POST", path, json === undefined ? {} : { json })
const launch = (json: object, query = "") => post(`${JOBS}${query}`, json)

it(
  "A job with inline bodies is launched and runs to its result",
  verifies("eval.launch", "eval.ids", "eval.embedded", "eval.status", "eval.results", "brief.evaluation.launch"),
  async () => {
    const target = modelTarget(fake.url, { api_key: KEY })
    const extra = { description: "d", project: "p", custom_fields: { a: 1 }, output_files_url: null }
    const { status, json } = await launch({ target, config: askConfig(WORDS), ...extra })
    expect(status).toBe(201)
    expect(json).toMatchObject({
      id: expect.stringMatching(/^eval-[1-9A-HJ-NP-Za-km-z]{20,}$/),
      namespace: "default",
      description: "d",
      project: "p",
      custom_fields: { a: 1 },
      target: { type: "model", model: { api_endpoint: { api_key: "******" } } },
      config: askConfig(WORDS),
      status: "PENDING",
      status_details: { message: expect.any(String), task_status: {} },
      conditions: [],
      result: null,
    })
    const ended = await endOf(server, json.id)
    expect(ended).toMatchObject({
      status: "COMPLETED",
      status_details: { task_status: { qa: "completed" }, progress: 100, samples_processed: 3 },
      result: expect.stringMatching(/^evaluation_result-/),
      pins: [{ fileset: "default/words", files: [{ path: "rows.jsonl" }] }],
    })
    // The results are found by the name of their fileset, so it can't change.
    const results = `${FILES}/default/filesets/evaluation-${json.id}`
    const renamed = await server.call("PATCH", results, { json: { name: "mine" } })
    expect([renamed.status, renamed.json.code]).toEqual([409, "in_use"])
    const result = await get(`${JOBS}/${json.id}/results`)
    expect(result.json).toMatchObject({ id: ended.result, job: json.id, namespace: "default" })
    expect(result.json.tasks.qa.metrics.same.scores["string-check"]).toMatchObject({ value: 1, stats: { count: 3 } })
    for (const path of ["status", "status-details"]) {
      const { json: answer } = await get(`${JOBS}/${json.id}/${path}`)
      expect(answer).toMatchObject({ status: "COMPLETED", samples_processed: 3, samples_total: 3, conditions: [] })
    }
    const { tokens, cost } = ended.status_details
    expect(cost).toEqual({ amount: (tokens.prompt + 2 * tokens.completion) / 1_000_000, currency: "USD" })
    expect(JSON.stringify([json, ended, result.json]) + server.log()).not.toContain(KEY)
  },
)

it(
  "A job with stored bodies keeps them as they were at its launch",
  verifies("eval.launch", "eval.embedded"),
  async () => {
    await post(`${EVALUATION}/targets`, { ...GIVEN, name: "given" })
    await post(`${EVALUATION}/configs`, { ...CHECK, name: "check" })
    const byName = await launch({ target: "default/given", config: "check" })
    const byAddress = await launch({
      target: { type: "rows", name: "given", namespace: "default" },
      config: { type: "custom", name: "check" },
    })
    await server.call("DELETE", `${EVALUATION}/configs/default/check`)
    for (const { json } of [byName, byAddress]) {
      expect(json).toMatchObject({ target: { name: "given", rows: GIVEN.rows }, config: { name: "check", ...CHECK } })
      const { id } = await endOf(server, json.id)
      const result = await get(`${JOBS}/${id}/results`)
      expect(result.json.tasks.qa.metrics.accuracy.scores["string-check"].value).toBe(0.5)
    }
    const missing = await launch({ target: "default/given", config: "default/check" })
    expect([missing.status, missing.json.code]).toEqual([404, "not_found"])
  },
)

it(
  "A launch that can't work returns every failed check and creates no job",
  verifies("eval.launch", "launch.together", "brief.condition.launch-refused"),
  async () => {
    const before = (await get(JOBS)).json.pagination.total_results
    const secrets = async () => (await get(`${SECRETS}/default/secrets`)).json.pagination.total_results
    const kept = await secrets()
    const url = "assay://datasets/default/words/none.jsonl"
    const { status, json } = await launch({
      target: modelTarget(fake.url, { api_key: "sk-wrong-key-1" }),
      config: askConfig(url),
    })
    expect([status, json.detail, json.code]).toEqual([400, "Job cannot be launched", "launch_refused"])
    const codes = json.failed_checks.map(({ code }: { code: string }) => code)
    expect(codes.toSorted()).toEqual(["dataset_missing", "inference_unauthorized"])
    for (const check of json.failed_checks) {
      expect(check).toEqual({
        check: expect.any(String),
        code: expect.any(String),
        message: expect.any(String),
        remedy: expect.any(String),
      })
    }
    expect((await get(JOBS)).json.pagination.total_results).toBe(before)
    expect(await secrets()).toBe(kept)
  },
)

/** Earlier jobs of this file say how long answers are. */
const MAYBE_KNOWN: unknown = expect.toSatisfy((value) => value === null || value > 0)

it(
  "A check returns the outcome of a launch and an estimate, and stores nothing",
  verifies("launch.check"),
  async () => {
    const counts = async () =>
      Promise.all(
        [JOBS, `${SECRETS}/default/secrets`].map(async (path) => (await get(path)).json.pagination.total_results),
      )
    const before = await counts()
    const body = { target: modelTarget(fake.url, { api_key: KEY }), config: askConfig(WORDS) }
    const { status, json, text } = await post(`${JOBS}/check`, body)
    expect([status, json]).toEqual([
      200,
      {
        launchable: true,
        failed_checks: [],
        warnings: [],
        estimate: {
          rows: 3,
          about_rows: 3,
          requests: 3,
          prompt_tokens: expect.any(Number),
          completion_tokens: MAYBE_KNOWN,
          half_width: expect.closeTo(0.4, 1),
          detectable: null,
          cost: MAYBE_KNOWN,
          currency: "USD",
          seconds: expect.any(Number),
          seconds_range: { low: expect.any(Number), high: expect.any(Number) },
          models: [expect.objectContaining({ requests: 3, completion_tokens: MAYBE_KNOWN, cost: MAYBE_KNOWN })],
          notes: expect.arrayContaining([expect.stringContaining("in 3 rendered rows")]),
          tasks: [{ task: expect.any(String), rows: 3, about_rows: 3, max_rows: 3, repeats: 1, requests: 3 }],
        },
      },
    ])
    const wrong = { target: modelTarget(fake.url, { api_key: "sk-wrong-key-1" }), config: body.config }
    const refused = await post(`${JOBS}/check`, wrong)
    expect([refused.status, refused.json.launchable]).toEqual([200, false])
    expect(refused.json.failed_checks).toEqual((await launch(wrong)).json.failed_checks)
    expect(text + refused.text).not.toMatch(/sk-/)
    const empty = await post(`${JOBS}/check`, { target: GIVEN, config: { type: "custom", tasks: {} } })
    expect(empty.json).toMatchObject({ launchable: false, estimate: { rows: null, requests: null, tasks: [] } })
    expect((await post(`${JOBS}/check`, { ...body, target: "default/none" })).status).toBe(404)
    expect(await counts()).toEqual(before)
  },
)

it("A check streams each check as it begins and ends, and then the outcome", verifies("launch.check"), async () => {
  const config = askConfig("assay://datasets/default/words/none.jsonl")
  const json = { target: modelTarget(fake.url, { api_key: KEY }), config }
  const headers = { accept: "text/event-stream" }
  const { status, text } = await server.call("POST", `${JOBS}/check`, { json, headers })
  const events = text.split("\n\n").flatMap((event) => {
    const [, name, data] = /^event: (\w+)\ndata: (.*)$/u.exec(event) ?? []
    return data === undefined ? [] : [{ name, data: JSON.parse(data) }]
  })
  expect([status, events.at(-1)]).toMatchObject([200, { name: "outcome", data: { launchable: false } }])
  const of = (kind: string) => events.filter(({ data }) => data.check === kind).map(({ data }) => data.status)
  expect([of("shape"), of("dataset"), of("endpoint"), of("fields")]).toEqual([
    ["running", "passed"],
    ["running", "failed"],
    ["running", "passed"],
    ["running", "passed"],
  ])
  const failed = events.find(({ data }) => data.status === "failed")?.data
  expect(failed).toMatchObject({ check: "dataset", failed_checks: [{ code: "dataset_missing" }] })
  const missing = await server.call("POST", `${JOBS}/check`, { json: { ...json, target: "default/none" }, headers })
  expect(missing.status).toBe(404)
})

it.each(["True", "true", "TRUE", "1"])(
  "A launch with skip_validation_checks=%s runs no checks",
  verifies("eval.skip-checks-forms", "brief.evaluation.skip-checks"),
  async (word) => {
    const launched = await launch(
      { target: GIVEN, config: { type: "custom", tasks: {} } },
      `?skip_validation_checks=${word}`,
    )
    expect(launched.status).toBe(201)
    await endOf(server, launched.json.id)
  },
)

it.each([
  ["False", 400],
  ["0", 400],
  ["", 400],
  ["yes", 422],
])("A launch with skip_validation_checks=%j returns %i", verifies("eval.skip-checks-forms"), async (word, status) => {
  const body = { target: { type: "dataset", dataset: {} }, config: CHECK }
  expect((await launch(body, `?skip_validation_checks=${word}`)).status).toBe(status)
})

it.each([
  { request_timeout: 0 },
  { request_timeout: -1 },
  { request_timeout: 2_147_484 },
  { max_failed_share: -1 },
  { max_failed_share: 1.5 },
])(
  "A launch with the parameters %j is refused, and the server keeps running",
  verifies("eval.launch"),
  async (params) => {
    const config = askConfig(WORDS)
    for (const wrong of [
      { ...config, params },
      { ...config, tasks: { qa: { ...config.tasks.qa, params } } },
    ]) {
      const { status, json } = await launch(
        { target: modelTarget(fake.url), config: wrong },
        "?skip_validation_checks=1",
      )
      expect([status, json.code ?? json.detail[0].loc[1]]).toEqual([422, "config"])
    }
    expect((await get("/health/live")).status).toBe(200)
  },
)

it("The list of jobs has filters, searches, both orders and pages", verifies("eval.list"), async () => {
  const project = "listed"
  const ids: string[] = []
  for (const description of ["Alpha one", "beta two", "gamma"]) {
    const { json } = await launch({
      target: { ...GIVEN, name: `t-${description[0]}` },
      config: CHECK,
      description,
      project,
    })
    ids.push(json.id)
    await endOf(server, json.id)
  }
  const listed = async (query: string) => {
    const { json } = await get(`${JOBS}?search[project]=${project}&${query}`)
    return json.data.map(({ id }: { id: string }) => ids.indexOf(id))
  }
  expect(await listed("")).toEqual([2, 1, 0])
  expect(await listed("sort=created_at")).toEqual([0, 1, 2])
  expect(await listed("page=2&page_size=2")).toEqual([0])
  expect(await listed("search[description]=ALPHA")).toEqual([0])
  expect(await listed("filter[target]=default/t-b")).toEqual([1])
  expect(await listed("filter[status]=completed&filter[namespace]=default")).toEqual([2, 1, 0])
  expect(await listed("filter[status]=running")).toEqual([])
  expect(await listed("filter[created_at][gte]=2020-01-01&filter[created_at][lt]=2021-01-01")).toEqual([])
  expect((await get(`${JOBS}?search[project]=${project}&filter[status]=FAILED`)).json).toEqual({
    object: "list",
    data: [],
    pagination: { page: 1, page_size: 10, current_page_size: 0, total_pages: 0, total_results: 0 },
    sort: "-created_at",
    filter: { status: "FAILED" },
    search: { project },
  })
  for (const [query, code] of [
    ["filter[colour]=red", "unknown_filter_field"],
    ["filter[created_at]=soon", "bad_filter"],
    ["filter[status]=done", "bad_filter"],
  ] as const) {
    expect((await get(`${JOBS}?${query}`)).json.code).toBe(code)
  }
  expect((await get(`${JOBS}?sort=name`)).status).toBe(422)
})

it("The log of a job contains the warnings of its launch", verifies("eval.launch"), async () => {
  const judge = {
    type: "llm-judge",
    params: {
      model: modelTarget(fake.url, { api_key: KEY }).model,
      template: { messages: [{ role: "user", content: "Rate {{ item.answer }} from 1 to 5." }] },
      scores: { rating: { type: "int", parser: { type: "json", json_path: "$.rating" } } },
    },
  }
  const { status, json } = await launch({
    target: GIVEN,
    config: { type: "custom", tasks: { qa: { type: "data", metrics: { judge } } } },
  })
  expect(status).toBe(201)
  await endOf(server, json.id)
  expect((await get(`${JOBS}/${json.id}/logs?format=text`)).text).toMatch(/WARN +Launch check judge_format: /)
})

it(
  "A job that has ended can ask its failed rows again and get more metrics",
  verifies("eval.retry-failed", "eval.score"),
  async () => {
    const before = fake.requests.length
    const config = { ...askConfig(WORDS), params: { max_retries: 0, max_failed_share: 1 } }
    const target = modelTarget(fake.url, { api_key: KEY })
    fake.faults.add({ times: 1, fault: { kind: "empty" } })
    const { json } = await launch({ target, config }, "?skip_validation_checks=1")
    const first = await endOf(server, json.id)
    expect(first.status_details).toMatchObject({ samples_processed: 3, samples_failed: 1 })
    const again = await post(`${JOBS}/${json.id}/retry-failed`)
    expect([again.status, again.json.status]).toEqual([200, "PENDING"])
    expect((await endOf(server, json.id)).status_details).toMatchObject({ samples_failed: 0 })
    const asked = fake.requests.length
    expect(asked - before).toBe(4)
    const added = { exact: { type: "exact-match", params: { ground_truth: "{{ item.word }}" } } }
    const scored = await post(`${JOBS}/${json.id}/score`, { tasks: { qa: { metrics: added } } })
    expect(scored.status).toBe(200)
    await endOf(server, json.id)
    expect(fake.requests.length).toBe(asked)
    const { metrics } = (await get(`${JOBS}/${json.id}/results`)).json.tasks.qa
    expect(
      [metrics.same, metrics.exact].map(({ scores }) => Object.values<{ value: number }>(scores)[0]?.value),
    ).toEqual([1, 1])
    const unknown = await post(`${JOBS}/${json.id}/score`, { tasks: { none: { metrics: added } } })
    expect([unknown.status, unknown.json.detail[0].loc]).toEqual([422, ["body", "tasks", "none"]])
  },
)

it("A job can be cancelled, and deleted only after it has ended", verifies("eval.cancel", "eval.delete"), async () => {
  fake.faults.add({ fault: { kind: "hang" } })
  const target = modelTarget(fake.url, { api_key: KEY })
  const { json } = await launch({ target, config: askConfig(WORDS) }, "?skip_validation_checks=1")
  await expect.poll(async () => (await get(`${JOBS}/${json.id}`)).json.status).toBe("RUNNING")
  const early = await server.call("DELETE", `${JOBS}/${json.id}`)
  expect([early.status, early.json.code]).toEqual([409, "job_not_final"])
  expect((await get(`${JOBS}/${json.id}/results`)).status).toBe(404)
  expect((await post(`${JOBS}/${json.id}/resume`)).json.code).toBe("job_not_final")
  expect(["CANCELLING", "CANCELLED"]).toContain((await post(`${JOBS}/${json.id}/cancel`)).json.status)
  expect((await endOf(server, json.id)).status).toBe("CANCELLED")
  expect((await server.call("DELETE", `${JOBS}/${json.id}`)).status).toBe(204)
  expect((await get(`${JOBS}/${json.id}`)).status).toBe(404)
  expect((await get(`${FILES}/default/filesets/evaluation-${json.id}`)).status).toBe(404)
})

it("The words about a job are changed, and nothing else", verifies("eval.update"), async () => {
  const { json: job } = await launch({ target: GIVEN, config: CHECK, description: "before" })
  const ended = await endOf(server, job.id)
  const changed = await server.call("PATCH", `${JOBS}/${job.id}`, { json: { custom_fields: { tags: ["nightly"] } } })
  expect([changed.status, changed.json.description, changed.json.custom_fields]).toEqual([
    200,
    "before",
    { tags: ["nightly"] },
  ])
  const { updated_at: _time, ...rest } = (await get(`${JOBS}/${job.id}`)).json
  expect(rest).toEqual({ ...rest, status: "COMPLETED", result: ended.result })
  const refused = [{}, { status: "FAILED" }, { description: 3 }]
  const statuses = await Promise.all(
    refused.map(async (json) => (await server.call("PATCH", `${JOBS}/${job.id}`, { json })).status),
  )
  expect(statuses).toEqual([422, 422, 422])
  expect((await server.call("PATCH", `${JOBS}/eval-none`, { json: { description: "x" } })).status).toBe(404)
})
