import { join } from "node:path"
import { createDatabase, startPostgres, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import {
  callJobs,
  type HeldModel,
  type JobCalls,
  JOBS,
  PROGRAM,
  startHeldModel,
} from "../../../testing/executor-jobs.ts"
import { startServer, type TestServer } from "../../../testing/start-server.ts"
import { makeTemporaryFolder, type TemporaryFolder } from "../../../testing/temporary-folder.ts"

describe("a job of servers with a shared database on an executor", () => {
  let model: HeldModel
  let postgres: Awaited<ReturnType<typeof startPostgres>>
  let folder: TemporaryFolder
  let server: TestServer
  let jobs: JobCalls
  let env: Readonly<Record<string, string>>
  beforeAll(async () => {
    model = await startHeldModel()
    postgres = await startPostgres()
    folder = makeTemporaryFolder()
    const profile = { executor: "local", place: join(folder.path, "place"), program: PROGRAM, shards: 2, retries: 0 }
    folder.write("executors.yaml", JSON.stringify({ profiles: { here: profile } }))
    folder.write("data/placeholder", "")
    env = {
      ASSAY_EXECUTORS: join(folder.path, "executors.yaml"),
      DATABASE_URL: await createDatabase(postgres.url),
      ASSAY_DATA_DIR: join(folder.path, "data"),
      ASSAY_SHARED_LOCAL: "1",
      ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: join(folder.path, "storage") }),
      ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
    }
    server = await startServer(env)
    jobs = callJobs(server, model)
    await jobs.prepare()
  })
  afterAll(async () => {
    await server.stop()
    await postgres.stop()
    await model.close()
    folder[Symbol.dispose]()
  })
  const timesAsked = () => [...model.asked.values()].reduce((sum, times) => sum + times, 0)

  it("keeps its rows in the database, for metrics that are added and for failed rows", async () => {
    model.isRefused = (text) => text === "word 3"
    const { id } = await jobs.launch({ executor: "here", max_failed_share: 0.5 })
    expect(await jobs.endOf(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_failed: 1 } })
    const has = { type: "string-check", params: { check: ["{{ sample.output_text }}", "contains", "word"] } }
    await jobs.call("POST", `${JOBS}/${id}/score`, { tasks: { words: { metrics: { has } } } })
    expect((await jobs.endOf(id)).status).toBe("COMPLETED")
    model.isRefused = () => false
    const before = timesAsked()
    await jobs.call("POST", `${JOBS}/${id}/retry-failed`)
    expect(await jobs.endOf(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_failed: 0 } })
    expect(timesAsked() - before).toBe(1)
    const { scores } = (await jobs.call("GET", `${JOBS}/${id}/results`)).tasks.words.metrics.has
    expect(scores["string-check"].stats).toMatchObject({ count: 12, mean: 1 })
  })

  it("continues on the next server with processes of its own, which ask only missing rows", async () => {
    model.isHeld = (text) => text === "word 11"
    const before = timesAsked()
    const { id } = await jobs.launch({ executor: "here" })
    await expect.poll(() => timesAsked() - before, { timeout: 20_000 }).toBe(12)
    await server.stop()
    model.isHeld = () => false
    server = await startServer(env)
    jobs = callJobs(server, model)
    expect(await jobs.endOf(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_processed: 12 } })
    expect(timesAsked() - before).toBe(13)
  })

  it("fails with what to do if its run is not in the place of its executor any more", async () => {
    model.isRefused = (text) => text === "word 3"
    const { id } = await jobs.launch({ executor: "here", max_failed_share: 0.5 })
    expect(await jobs.endOf(id)).toMatchObject({ status: "COMPLETED", status_details: { samples_failed: 1 } })
    const moveTo = async (place: string) => {
      await server.stop()
      const profile = { executor: "local", place: join(folder.path, place), program: PROGRAM, shards: 2, retries: 0 }
      folder.write("executors.yaml", JSON.stringify({ profiles: { here: profile } }))
      server = await startServer(env)
      jobs = callJobs(server, model)
    }
    await moveTo("other")
    const before = timesAsked()
    model.isRefused = () => false
    await jobs.call("POST", `${JOBS}/${id}/retry-failed`)
    const { status, conditions } = await jobs.endOf(id)
    expect([status, timesAsked() - before]).toEqual(["FAILED", 0])
    expect(conditions[0].message).toContain("The job has 12 rows, and its run is not in")
    expect(conditions[0].message).toContain("Set 'place' of 'here' to what it was")
  })

  it("ends at its budget, which its shards share", verifies("eval.executor.results"), async () => {
    const { id } = await jobs.launch({ executor: "here", budget: { max_requests: 5 } })
    // Each shard knows its own rows at once, and those of the other one a second later.
    const message = expect.stringMatching(/^Ended by max_requests after (?:[5-9]|10) of 12 rows\.$/)
    expect(await jobs.endOf(id)).toMatchObject({ status: "COMPLETED", status_details: { message } })
  })
})
