// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { setTimeout } from "node:timers/promises"
import { createDatabase, type FakeHub, startFakeHub, verifies } from "@assay/testkit"
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from "vitest"
import { checkpointFiles, CHECKPOINT_PARAMETERS } from "../testing/checkpoint-files.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const MODELS = "/apis/models/v2/workspaces/default/models"
const ENV = { ASSAY_ALLOWED_HOSTS: "127.0.0.1", ASSAY_CACHE_MAX_BYTES: "0" }

let hub: FakeHub
beforeAll(async () => {
  const { "model.safetensors": weights = Buffer.alloc(0), ...small } = checkpointFiles()
  hub = await startFakeHub({
    repositories: [
      { id: "team/sentence-embedder", files: { ...small, "model.safetensors": { bytes: weights, lfs: true } } },
    ],
  })
})
afterEach(() => hub.faults.clear())
afterAll(() => hub.close())

async function makeFileset(server: TestServer): Promise<void> {
  const storage = { type: "hub", repo_id: "team/sentence-embedder", endpoint: hub.url }
  const made = await server.call("POST", `${FILES}/default/filesets`, { json: { name: "remote", storage } })
  expect(made.status).toBe(200)
}

/** Returns settings of servers over a new database. */
async function shareDatabase(): Promise<Record<string, string>> {
  return {
    ...ENV,
    DATABASE_URL: await createDatabase(inject("postgresUrl")),
    ASSAY_SHARED_LOCAL: "1",
    ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
  }
}

const create = (server: TestServer, name: string, query = "") =>
  server.call("POST", `${MODELS}${query}`, { json: { name, fileset: "remote" } })
const status = async (server: TestServer, name: string) =>
  (await server.call("GET", `${MODELS}/${name}`)).json.analysis.status

describe("a model on remote storage", () => {
  it(
    "is analysed from file headers only, and recognised by the name of its repository",
    verifies("models.analysis.headers-only"),
    async () => {
      await using server = await startTestServer(ENV)
      await makeFileset(server)
      const sent = hub.requests.length
      const { json } = await create(server, "m")
      expect(json.spec).toMatchObject({ base_num_parameters: CHECKPOINT_PARAMETERS, is_embedding_model: true })
      const asked = hub.requests
        .slice(sent)
        .filter(({ url, operation }) => operation === "object" || url.includes("safetensors"))
      expect(asked.length).toBeGreaterThan(0)
      for (const { headers } of asked) expect(headers["range"]).toMatch(/^bytes=\d+-\d+$/)
      expect(json.analysis.bytes_read).toBeLessThan(100_000)
    },
  )

  it("is analysed once for many concurrent requests", async () => {
    await using server = await startTestServer(ENV)
    await makeFileset(server)
    hub.faults.add({ fault: { kind: "latency", ms: 200 } })
    const sent = hub.requests.length
    const made = await create(server, "m", "?wait=0.01")
    expect(made.json.analysis.status).toBe("running")
    const again = await Promise.all([1, 2, 3].map(() => server.call("POST", `${MODELS}/m/analyze`)))
    for (const { json } of again) expect(json).toEqual(again[0]?.json)
    expect(again[0]?.json.analysis.status).toBe("completed")
    const lists = hub.requests.slice(sent).filter(({ operation }) => operation === "tree")
    expect(lists).toHaveLength(1)
  })

  it("is analysed by one of the servers that share a database, and all of them can wait for it", async () => {
    const shared = await shareDatabase()
    await using one = await startTestServer(shared)
    await using two = await startTestServer(shared)
    await makeFileset(one)
    hub.faults.add({ fault: { kind: "latency", ms: 100 } })
    const sent = hub.requests.length
    expect((await create(one, "m", "?wait=0")).json.analysis.status).toBe("running")
    expect((await two.call("POST", `${MODELS}/m/analyze`)).json.analysis.status).toBe("completed")
    expect(hub.requests.slice(sent).filter(({ operation }) => operation === "tree")).toHaveLength(1)
  })

  it("has a failed analysis if the server stops, and other servers can analyse it at once", async () => {
    const shared = await shareDatabase()
    await using one = await startTestServer(shared)
    await using two = await startTestServer(shared)
    await makeFileset(one)
    hub.faults.add({ fault: { kind: "stall" } })
    const waiting = create(one, "m")
    await expect.poll(() => status(two, "m").catch(() => "")).toBe("running")
    await one.running.close()
    expect((await waiting).status).toBe(201)
    hub.faults.clear()
    const { json } = await two.call("GET", `${MODELS}/m`)
    expect(json.analysis).toMatchObject({ status: "failed", error: { code: "unavailable" } })
    expect((await two.call("POST", `${MODELS}/m/analyze`)).json.analysis.status).toBe("completed")
  })

  it("waits for its turn if there are many analyses", async () => {
    await using server = await startTestServer(ENV)
    await makeFileset(server)
    await expect.poll(() => hub.countOpenAnswers()).toBe(0)
    hub.faults.add({ fault: { kind: "stall" } })
    for (let n = 0; n < 8; n++) await create(server, `m${n}`, "?wait=0")
    await expect.poll(() => hub.countOpenAnswers()).toBe(4)
    await setTimeout(200)
    expect(hub.countOpenAnswers()).toBe(4)
    expect(await status(server, "m7")).toBe("running")
  })
})
