import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createDatabase, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest"
import { askConfig, CHECK, endOf, EVALUATION, modelTarget } from "../testing/evaluation-bodies.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const JOBS = `${EVALUATION}/jobs`
const ROWS = Array.from({ length: 25 }, () => ({ answer: "yes", expected: "yes" }))

describe("the shards of a job", () => {
  let server: TestServer
  let storage: string
  beforeAll(async () => {
    storage = await mkdtemp(join(tmpdir(), "assay-shards-"))
    server = await startTestServer({
      DATABASE_URL: await createDatabase(inject("postgresUrl")),
      ASSAY_SHARED_LOCAL: "1",
      ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: storage }),
      ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
    })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await rm(storage, { recursive: true })
  })
  const launch = async (params: object): Promise<string> => {
    const body = { target: { type: "rows", rows: ROWS }, config: { ...CHECK, params } }
    const { json } = await server.call("POST", `${JOBS}?skip_validation_checks=1`, { json: body })
    expect((await endOf(server, json.id)).status).toBe("COMPLETED")
    return json.id
  }
  const get = (path: string) => server.call("GET", `${JOBS}/${path}`)

  it(
    "that workers of servers run are listed with their rows and workers, page by page",
    verifies("eval.shards.page"),
    async () => {
      const id = await launch({ shard_rows: 10 })
      const { json } = await get(`${id}/shards?limit=2`)
      const counts = { waiting: 0, running: 0, failed: 0, stopped: 0, done: 3 }
      expect(json).toMatchObject({ object: "list", executor: null, run: null, total: 3, counts, next_offset: 2 })
      const [first] = json.data
      expect(first).toMatchObject({ index: 0, state: "done", processed: first.rows, failed: 0, reason: null })
      const last = (await get(`${id}/shards?offset=2`)).json
      expect(last).toMatchObject({ data: [{ index: 2 }], next_offset: null })
      expect([...json.data, ...last.data].reduce((sum, { rows }) => sum + rows, 0)).toBe(25)
      const log = await get(`${id}/shards/0/log`)
      expect(log.headers["content-type"]).toBe("text/plain; charset=utf-8")
      expect(log.text).toContain("cut into 3 shards")
      expect((await get(`${id}/shards/3/log`)).status).toBe(404)
    },
  )

  it("name their workers while these ask the rows", async () => {
    const fake = await startFakeInference()
    onTestFinished(() => fake.close())
    fake.faults.add({ fault: { kind: "hang" } })
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: "words" } })
    const body = ROWS.map((_, row) => `${JSON.stringify({ word: `word ${row}` })}\n`).join("")
    await server.call("PUT", `${FILES}/default/filesets/words/-/rows.jsonl`, { body })
    const { params, ...config } = askConfig("assay://datasets/default/words/rows.jsonl")
    const json = { target: modelTarget(fake.url), config: { ...config, params: { ...params, shard_rows: 10 } } }
    const { id } = (await server.call("POST", `${JOBS}?skip_validation_checks=1`, { json })).json
    await expect
      .poll(async () => (await get(`${id}/shards`)).json.counts.running, { timeout: 15_000 })
      .toBeGreaterThan(0)
    const running = (await get(`${id}/shards`)).json.data.find(({ state }: { state: string }) => state === "running")
    expect(running.location).toEqual(expect.any(String))
    await server.call("POST", `${JOBS}/${id}/cancel`)
    await endOf(server, id)
  })

  it("are none if one worker runs the job", async () => {
    const id = await launch({})
    expect((await get(`${id}/shards`)).json).toMatchObject({ data: [], total: 0, next_offset: null })
    expect((await get(`${id}/shards/0/log`)).text).toContain("is not cut into shards")
  })
})
