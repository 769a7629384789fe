import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { startFakeInference, type FakeInference, type FakeModel } from "@assay/testkit"
import { afterEach, beforeEach, expect, it } from "vitest"
import { askedQuestions, JOBS, launchQuestions, untilJob } from "../../testing/evaluation-launch.ts"
import { startServerProcess, type ServerProcess } from "../../testing/start-server-process.ts"
import { send } from "../../testing/start-test-server.ts"

const ROWS = 40

let folder: string
let fake: FakeInference
/** Answers that the model still gives before it holds back what is asked. */
const model = { allowed: 0 }
let server: ServerProcess
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-lost-"))
  const echo: FakeModel = async ({ messages }) => {
    while (model.allowed === 0) await setTimeout(10)
    model.allowed -= 1
    return { content: messages.at(-1)?.content }
  }
  fake = await startFakeInference({ models: { echo } })
  server = await startServerProcess(folder)
})
afterEach(async () => {
  model.allowed = Infinity
  await server.kill()
  await fake.close()
  await rm(folder, { recursive: true })
})

/** What the database knows of the runners of a job. */
function runnersOf(id: string): { readonly claims: number; readonly takeovers: number } {
  using database = new DatabaseSync(join(folder, ".assay", "registry.db"), { readOnly: true })
  const row = database.prepare("select claims, takeovers from evaluation_jobs where id = ?").get(id)
  return { claims: Number(row?.["claims"]), takeovers: Number(row?.["takeovers"]) }
}

async function restart(): Promise<void> {
  await server.kill()
  server = await startServerProcess(folder)
}

it("a job goes on however often its server is killed, as long as rows are answered in between [jobs.losses-in-a-row]", async () => {
  model.allowed = 0
  const id = await launchQuestions(server.url, { fake, count: ROWS })
  for (let killed = 0; killed < 3; killed++) {
    // That the runner before was lost is forgotten with the first row of this one.
    for (let isOn = false; !isOn; await setTimeout(50)) {
      // Some are taken by requests of servers that were killed.
      model.allowed = 1
      const { claims, takeovers } = runnersOf(id)
      const { json } = await send(server.url, "GET", `${JOBS}/${id}`)
      isOn = claims === killed + 1 && takeovers === 0 && json.status_details.samples_processed > 0
    }
    model.allowed = 0
    await restart()
  }
  model.allowed = Infinity
  const job = await untilJob(server.url, id, ["COMPLETED", "FAILED"])
  expect(job).toMatchObject({ status: "COMPLETED", conditions: [], status_details: { samples_processed: ROWS } })
})

it("a job whose server dies twice without a new row is not taken up again [jobs.losses-in-a-row]", async () => {
  model.allowed = 0
  const id = await launchQuestions(server.url, { fake, count: ROWS })
  for (let lost = 0; lost < 2; lost++) {
    const before = askedQuestions(fake).length
    while (askedQuestions(fake).length === before) await setTimeout(10)
    await restart()
  }
  const { conditions } = await untilJob(server.url, id, ["COMPLETED", "FAILED"])
  expect(conditions).toMatchObject([{ code: "runner_lost", count: 2, message: expect.stringContaining("in a row") }])
  const asked = askedQuestions(fake).length
  await restart()
  expect((await send(server.url, "GET", `${JOBS}/${id}`)).json.status).toBe("FAILED")
  expect(askedQuestions(fake)).toHaveLength(asked)
  // A new request gets it.
  model.allowed = Infinity
  await send(server.url, "POST", `${JOBS}/${id}/resume`)
  expect(await untilJob(server.url, id, ["COMPLETED", "FAILED"])).toMatchObject({ status: "COMPLETED" })
})

it("a job whose server is stopped again and again in order is no lost one [jobs.losses-in-a-row]", async () => {
  model.allowed = 0
  const id = await launchQuestions(server.url, { fake, count: ROWS })
  for (let stopped = 0; stopped < 3; stopped++) {
    const before = askedQuestions(fake).length
    while (askedQuestions(fake).length === before) await setTimeout(10)
    expect(await server.stop()).toBe(0)
    server = await startServerProcess(folder)
  }
  model.allowed = Infinity
  expect(await untilJob(server.url, id, ["COMPLETED", "FAILED"])).toMatchObject({ status: "COMPLETED" })
})
