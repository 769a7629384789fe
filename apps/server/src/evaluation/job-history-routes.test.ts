import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { endOf, EVALUATION } from "../testing/evaluation-bodies.ts"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
let endpoint: FakeInference
let tokens: ReadonlyMap<string, string>
const ids: string[] = []

const as = (who: string, method: string, path: string, json?: unknown) =>
  server.call(method, path, {
    headers: { authorization: `Bearer ${tokens.get(who)}` },
    ...(json === undefined ? {} : { json }),
  })
const trend = (query = "", who = "viewer") => as(who, "GET", `${EVALUATION}/trends/default${query}`)
const leaderboard = (query: string, who = "viewer") => as(who, "GET", `${EVALUATION}/leaderboards/default?${query}`)

const bodyOf = (model: string, description: string, commit: string) => ({
  description,
  custom_fields: { commit },
  target: { type: "model", model: { api_endpoint: { url: `${endpoint.url}/v1`, model_id: model } } },
  config: {
    type: "custom",
    params: { gates: [{ task: "qa", metric: "said", op: ">=", value: 0.5 }] },
    tasks: {
      qa: {
        type: "chat-completion",
        params: { template: { messages: [{ role: "user", content: "{{ item.word }}" }] } },
        dataset: { files_url: "assay://datasets/default/words/rows.jsonl" },
        metrics: {
          said: { type: "string-check", params: { check: ["{{ sample.output_text }}", "equals", "{{ item.word }}"] } },
          speed: { type: "latency" },
        },
      },
    },
  },
})

beforeAll(async () => {
  server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_INFERENCE_HOSTS: "127.0.0.1" })
  endpoint = await startFakeInference()
  tokens = await createTokens(server, {
    editor: [{ workspace: "default", role: "editor" }],
    viewer: [{ workspace: "default", role: "viewer" }],
    stranger: [],
  })
  const filesets = "/apis/files/v2/workspaces/default/filesets"
  await as("editor", "POST", filesets, { name: "words", purpose: "dataset" })
  const rows = Array.from({ length: 30 }, (_, row) => JSON.stringify({ word: `word${row}` })).join("\n")
  const headers = { authorization: `Bearer ${tokens.get("editor")}` }
  await server.call("PUT", `${filesets}/words/-/rows.jsonl`, { body: rows, headers })
  for (const [model, name, commit] of [
    ["echo", "nightly", "aaa1"],
    ["echo", "nightly", "bbb2"],
    ["rambler", "nightly", "bbb2"],
  ] as const) {
    const { status, json } = await as("editor", "POST", `${EVALUATION}/jobs`, bodyOf(model, name, commit))
    expect(status, JSON.stringify(json)).toBe(201)
    await endOf(server, json.id, headers)
    ids.push(json.id)
  }
  await as("editor", "PUT", `${EVALUATION}/baselines/default/main`, { job: ids[1] })
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await endpoint.close()
})

it(
  "A trend has scores with intervals, gates, commits, failures and time of jobs, the oldest first",
  verifies("eval.trends"),
  async () => {
    const { status, json } = await trend("?dataset=default/words/rows.jsonl&name=nightly")
    expect([status, json.total, json.data.map(({ job }: { job: string }) => job)]).toEqual([200, 3, ids])
    expect(json.data[0]).toMatchObject({
      model: "echo",
      commit: "aaa1",
      rows: 30,
      failed: 0,
      cost: null,
      gates: [{ name: "qa.said.string-check", limit: ">= 0.5", verdict: "PASS" }],
    })
    const [said, speed] = json.data[0].scores
    expect(said).toMatchObject({ name: "qa.said.string-check", value: 1, high: 1 })
    expect(said.low).toBeGreaterThan(0.8)
    expect(speed).toMatchObject({ unit: "ms" })
    expect(json.choices).toEqual({
      configs: [],
      datasets: ["default/words/rows.jsonl"],
      names: ["nightly"],
      baselines: ["main"],
    })
    const points = async (query: string) => (await trend(query)).json.total
    expect(await Promise.all(["?baseline=main", "?config=none", "?dataset=none", ""].map(points))).toEqual([1, 0, 0, 3])
    expect((await trend("?baseline=none")).status).toBe(404)
    expect((await trend("", "stranger")).status).toBe(404)
  },
)

it(
  "A leaderboard ranks the latest job of each model, in groups that paired tests tell apart",
  verifies("eval.leaderboards"),
  async () => {
    const { status, json } = await leaderboard("dataset=default/words/rows.jsonl")
    expect([status, json]).toMatchObject([
      200,
      { score: "qa.said.string-check", higher_is_better: true, left_out: 0, different_rows: 0 },
    ])
    expect(json.data).toMatchObject([
      { job: ids[1], model: "echo", mean: 1, group: "a", high: 1 },
      { job: ids[2], model: "rambler", mean: 0, group: "b", low: 0 },
    ])
    const byTime = await leaderboard("dataset=default/words/rows.jsonl&score=qa.speed.latency_ms")
    expect(byTime.json).toMatchObject({ higher_is_better: false, data: [{}, {}] })
    expect((await leaderboard("dataset=default/other")).status).toBe(404)
    expect((await leaderboard("dataset=default/words/rows.jsonl&score=qa.f1")).status).toBe(422)
    expect((await leaderboard("dataset=default/words/rows.jsonl", "stranger")).status).toBe(404)
  },
)
