// Types the values of `inject`.
/// <reference types="@assay/testkit/postgres-setup" />
import { randomBytes, randomUUID } from "node:crypto"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { openRegistry, type Registry } from "@assay/registry"
import type { EvaluationRow } from "@assay/schemas"
import { createTransport } from "@assay/storage"
import {
  createDatabase,
  type FakeInference,
  type FakeModel,
  queryDatabase,
  startFakeInference,
  verifies,
} from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest"
import { askedQuestions, launchQuestions, untilJob } from "../../testing/evaluation-launch.ts"
import { startServerProcess, type ServerProcess } from "../../testing/start-server-process.ts"
import { FILES, send, startTestServer } from "../../testing/start-test-server.ts"

const ROWS = 40
/** Number of questions after which the model waits until the test opens its gate. */
const HELD_FROM = 12
const QUESTIONS = Array.from({ length: ROWS }, (_, index) => `question ${index}`)

let folder: string
let fake: FakeInference
let openGate: () => void
const processes: ServerProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-crash-"))
  const gate = new Promise<void>((resolve) => {
    openGate = resolve
  })
  let asked = 0
  const echo: FakeModel = async ({ messages }) => {
    if (++asked >= HELD_FROM) await gate
    return { content: messages.at(-1)?.content }
  }
  fake = await startFakeInference({ models: { echo } })
})
afterEach(async () => {
  openGate()
  for (const one of processes.splice(0)) await one.kill()
  await fake.close()
  await rm(folder, { recursive: true })
})

async function start(cwd: string, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const one = await startServerProcess(cwd, env)
  processes.push(one)
  return one
}

/** Waits until the model holds all requests. */
async function untilHeld(): Promise<void> {
  while (askedQuestions(fake).length <= HELD_FROM) await setTimeout(2)
}

/** Waits until all answers are in the journal, which is later than the answers. */
async function untilJournalled(read: () => Promise<readonly string[]>): Promise<readonly string[]> {
  for (;;) {
    const questions = await read()
    if (questions.length >= HELD_FROM - 1) return questions
    await setTimeout(5)
  }
}

function parseRows(text: string): EvaluationRow[] {
  const whole = text.slice(0, text.lastIndexOf("\n") + 1)
  return whole.split("\n").flatMap((line): EvaluationRow[] => (line === "" ? [] : [JSON.parse(line)]))
}

const questionsOf = (rows: readonly EvaluationRow[]) => rows.map(({ item }) => String(item["question"]))

/** Reads the journal from the results. */
async function resultRows(url: string, id: string): Promise<EvaluationRow[]> {
  const { text } = await send(url, "GET", `${FILES}/default/filesets/evaluation-${id}/-/results/rows.jsonl`)
  return parseRows(text)
}

describe("evaluation jobs", () => {
  it(
    "continue after their server was killed and starts again, without a second call for answered rows",
    verifies("run.resume"),
    async () => {
      const killed = await start(folder)
      const id = await launchQuestions(killed.url, { fake, count: ROWS })
      await untilHeld()
      const journal = join(folder, ".assay", "evaluation", "jobs", id, "rows.jsonl")
      const readJournal = async () => questionsOf(parseRows(await readFile(journal, "utf8").catch(() => "")))
      await untilJournalled(readJournal)
      await killed.kill()
      const answered = await readJournal()
      expect(answered).toHaveLength(HELD_FROM - 1)
      const before = askedQuestions(fake).length
      openGate()
      await using restarted = await startTestServer({ ASSAY_DATA_DIR: join(folder, ".assay") }, folder)
      const job = await untilJob(restarted.url, id, ["COMPLETED", "FAILED"])
      expect(job.status_details).toMatchObject({ message: "40 rows done.", samples_processed: ROWS })
      const askedLater = askedQuestions(fake).slice(before)
      expect(askedLater.toSorted()).toEqual(QUESTIONS.filter((one) => !answered.includes(one)).toSorted())
      expect(questionsOf(await resultRows(restarted.url, id)).toSorted()).toEqual(QUESTIONS.toSorted())
    },
  )

  it(
    "are released by a server that stops, and end on the next server",
    verifies("run.resume", "start.jobs-resumable", "start.not-ready"),
    async () => {
      const first = await startTestServer({}, folder)
      const id = await launchQuestions(first.url, { fake, count: ROWS })
      await untilHeld()
      expect((await first.running.app.inject("/health/ready")).statusCode).toBe(200)
      const closed = first.running.close()
      const readiness = await first.running.app.inject("/health/ready")
      expect([readiness.statusCode, readiness.json().detail]).toEqual([503, expect.stringContaining("stopping")])
      // It does not wait for the model, which holds its answers.
      await closed
      openGate()
      await using next = await startTestServer({}, folder)
      await untilJob(next.url, id, ["COMPLETED"])
      expect(questionsOf(await resultRows(next.url, id)).toSorted()).toEqual(QUESTIONS.toSorted())
    },
  )

  it(
    "end with every row once when one of two workers is killed",
    verifies("run.queue", "eval.unavailable", "settings.shared-queue"),
    async () => {
      const shared = await shareDatabase()
      await using api = await startTestServer({ ...shared, ASSAY_ROLES: "api" })
      const worker = { ...shared, ASSAY_ROLES: "worker" }
      const one = await start(folder, { ...worker, ASSAY_DATA_DIR: join(folder, "one") })
      expect((await send(one.url, "GET", "/health/ready")).status).toBe(200)
      expect((await send(one.url, "GET", `${FILES}/default/filesets`)).status).toBe(404)
      const id = await launchQuestions(api.url, { fake, count: ROWS })
      await untilHeld()
      await using _two = await startTestServer({ ...worker, ASSAY_DATA_DIR: join(folder, "two") })
      const [held] = await queryDatabase(shared.DATABASE_URL, "select lease from evaluation_jobs")
      await untilJournalled(() => journalled(shared.DATABASE_URL))
      await one.kill()
      const before = askedQuestions(fake).length
      const answered = await journalled(shared.DATABASE_URL)
      // Only the lease of the killed worker: on a busy machine it has ended already, and the other worker holds another one.
      const ofKilled = `lease = '${String(held?.["lease"])}'`
      await queryDatabase(shared.DATABASE_URL, `update evaluation_jobs set leased_until = 0 where ${ofKilled}`)
      openGate()
      const job = await untilJob(api.url, id, ["COMPLETED", "FAILED"])
      expect(job.status_details).toMatchObject({ message: "40 rows done." })
      const askedLater = askedQuestions(fake).slice(before)
      expect(askedLater.toSorted()).toEqual(QUESTIONS.filter((question) => !answered.includes(question)).toSorted())
      expect(questionsOf(await resultRows(api.url, id)).toSorted()).toEqual(QUESTIONS.toSorted())
      const events = await api.call("GET", `/v1/evaluation/jobs/${id}/events`)
      expect(events.text).toMatch(/RUNNING[^]*UNAVAILABLE[^]*RUNNING[^]*COMPLETED/)
    },
  )

  it("are unavailable if no process is a worker", verifies("eval.unavailable"), async () => {
    const shared = await shareDatabase()
    const gone = await openRegistryOn(shared.DATABASE_URL)
    const { id } = await gone.jobs.create({
      namespace: "default",
      target: { type: "rows" },
      config: { type: "custom" },
    })
    await gone.jobs.claim(id)
    await gone.close()
    await queryDatabase(shared.DATABASE_URL, "update evaluation_jobs set leased_until = 0")
    await using api = await startTestServer({ ...shared, ASSAY_ROLES: "api" })
    const { status_details: details } = await untilJob(api.url, id, ["UNAVAILABLE"])
    expect(details.message).toContain("stopped reporting")
  })

  async function shareDatabase() {
    return {
      DATABASE_URL: await createDatabase(inject("postgresUrl")),
      ASSAY_SHARED_LOCAL: "1",
      ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: join(folder, "storage") }),
      ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
    }
  }

  async function openRegistryOn(url: string): Promise<Registry> {
    return openRegistry({
      database: { kind: "postgres", url, maxConnections: 1 },
      defaultStorage: { type: "local", path: join(folder, "storage") },
      allowedLocalRoots: [],
      encryptionKeys: [{ name: "shared", key: new Uint8Array(32).fill(3) }],
      now: Date.now,
      newId: (prefix) => `${prefix}-${randomUUID()}`,
      randomBytes,
      transport: createTransport({ firstByteMs: 1000, idleMs: 1000 }),
      random: Math.random,
      sleep: (ms, signal) => setTimeout(ms, undefined, { signal }),
    })
  }

  /** Reads the questions with answers in the shared journal. */
  async function journalled(url: string): Promise<string[]> {
    const records = await queryDatabase(url, "select lines from evaluation_rows order by seq")
    return questionsOf(records.flatMap(({ lines }) => parseRows(String(lines))))
  }
})
