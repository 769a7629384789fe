import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout } from "node:timers/promises"
import { type FakeInference, type FakeModel, startFakeInference, verifies } from "@assay/testkit"
import { afterEach, beforeEach, expect, it } from "vitest"
import { askedQuestions, JOBS, launchQuestions, untilJob } from "../../testing/evaluation-launch.ts"
import { startServerProcess, type ServerProcess } from "../../testing/start-server-process.ts"
import { send, startTestServer, type TestServer } from "../../testing/start-test-server.ts"

const ROWS = 40
/** Number of lost runners in a row that ends a job. */
const LOSSES = 2

let folder: string
let fake: FakeInference
/** The model answers the questions below this number. The others wait. */
let answered = 0
const processes: ServerProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-lost-"))
  answered = 0
  const echo: FakeModel = async ({ messages }) => {
    const content = String(messages.at(-1)?.content)
    // By number, so that a late question of a killed server takes no answer from the next server.
    while (Number(content.replace("question ", "")) >= answered) await setTimeout(10)
    return { content }
  }
  fake = await startFakeInference({ models: { echo } })
})
afterEach(async () => {
  answered = Infinity
  for (const one of processes.splice(0)) await one.kill()
  await fake.close()
  await rm(folder, { recursive: true })
})

/** Starts a server in a process of its own, which the test kills. */
async function startMortal(): Promise<ServerProcess> {
  const one = await startServerProcess(folder)
  processes.push(one)
  return one
}

/** Starts a server on the same data in this process. */
function startNext(): Promise<TestServer> {
  return startTestServer({ ASSAY_DATA_DIR: join(folder, ".assay") }, folder)
}

/** Reads what the database has about the runners of a job. */
function runnersOf(id: string): { readonly claims: number; readonly takeovers: number } {
  using database = new DatabaseSync(join(folder, ".assay", "registry.db"), { readOnly: true })
  const row = database.prepare("select claims, takeovers from evaluation_jobs where id = ?").get(id)
  return { claims: Number(row?.["claims"]), takeovers: Number(row?.["takeovers"]) }
}

async function untilAsked(count: number): Promise<void> {
  while (askedQuestions(fake).length < count) await setTimeout(10)
}

it(
  "A job continues after any number of kills of its server if rows get answers in between",
  verifies("jobs.losses-in-a-row"),
  async () => {
    let id = ""
    for (let killed = 0; killed < LOSSES; killed++) {
      const server = await startMortal()
      if (killed === 0) id = await launchQuestions(server.url, { fake, count: ROWS })
      answered += 5
      // The first row of this runner resets the count of lost runners.
      for (let isOn = false; !isOn; await setTimeout(20)) {
        const { claims, takeovers } = runnersOf(id)
        const { json } = await send(server.url, "GET", `${JOBS}/${id}`)
        isOn = claims === killed + 1 && takeovers === 0 && json.status_details.samples_processed > 0
      }
      await server.kill()
    }
    await using last = await startNext()
    answered = Infinity
    const job = await untilJob(last.url, id, ["COMPLETED", "FAILED"])
    expect(job).toMatchObject({ status: "COMPLETED", conditions: [], status_details: { samples_processed: ROWS } })
  },
)

it(
  "A job whose server dies twice without a new row is not continued again",
  verifies("jobs.losses-in-a-row"),
  async () => {
    let id = ""
    for (let lost = 0; lost < LOSSES; lost++) {
      const server = await startMortal()
      const before = askedQuestions(fake).length
      if (lost === 0) id = await launchQuestions(server.url, { fake, count: ROWS })
      await untilAsked(before + 1)
      await server.kill()
    }
    {
      await using next = await startNext()
      const { conditions } = await untilJob(next.url, id, ["COMPLETED", "FAILED"])
      expect(conditions).toMatchObject([
        { code: "runner_lost", count: LOSSES, message: expect.stringContaining("in a row") },
      ])
    }
    const asked = askedQuestions(fake).length
    await using last = await startNext()
    expect((await last.call("GET", `${JOBS}/${id}`)).json.status).toBe("FAILED")
    expect(askedQuestions(fake)).toHaveLength(asked)
    // A new request gets it.
    answered = Infinity
    await last.call("POST", `${JOBS}/${id}/resume`)
    expect(await untilJob(last.url, id, ["COMPLETED", "FAILED"])).toMatchObject({ status: "COMPLETED" })
  },
)

it("A job whose server is stopped in order many times is not lost", verifies("jobs.losses-in-a-row"), async () => {
  let id = ""
  for (let stopped = 0; stopped < LOSSES; stopped++) {
    const before = askedQuestions(fake).length
    await using server = await startNext()
    if (stopped === 0) id = await launchQuestions(server.url, { fake, count: ROWS })
    await untilAsked(before + 1)
  }
  await using last = await startNext()
  answered = Infinity
  expect(await untilJob(last.url, id, ["COMPLETED", "FAILED"])).toMatchObject({ status: "COMPLETED" })
})
