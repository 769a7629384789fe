// Tells the type of what `inject` answers.
/// <reference types="@assay/testkit/postgres-setup" />
import { existsSync } from "node:fs"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate, setTimeout } from "node:timers/promises"
import { createDatabase, queryDatabase, startFakeInference, type FakeInference, type FakeModel } from "@assay/testkit"
import { afterEach, beforeEach, expect, inject, it } from "vitest"
import { JOBS, launchQuestions, untilJob } from "../../testing/evaluation-launch.ts"
import { startServerProcess, type ServerProcess } from "../../testing/start-server-process.ts"
import { FILES, send } from "../../testing/start-test-server.ts"

const ROWS = 300
/** So that the files take a while to be written. */
const ANSWER = "x".repeat(20_000)

let folder: string
let fake: FakeInference
let failing = true
const processes: ServerProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-fenced-"))
  failing = true
  const echo: FakeModel = ({ messages }) => {
    const question = String(messages.at(-1)?.content)
    if (failing && question.endsWith("7"))
      return { fault: { kind: "answer", status: 400, body: { error: { message: "no answer to that" } } } }
    return { content: `${question} ${ANSWER}` }
  }
  fake = await startFakeInference({ models: { echo } })
})
afterEach(async () => {
  for (const one of processes.splice(0)) await one.kill()
  await fake.close()
  await rm(folder, { recursive: true })
})

it("a runner that was thought dead leaves the results of the next one as they are [results.fenced, results.one-step, eval.unavailable]", async () => {
  const url = await createDatabase(inject("postgresUrl"))
  const first = await start("one", url)
  const id = await launchQuestions(first.url, { fake, count: ROWS, params: { parallelism: 32, max_failed_share: 0.5 } })
  const place = join(folder, "storage", "filesets", "default", `evaluation-${id}`)
  await untilWriting(place)
  first.signal("SIGSTOP")
  const begun = await filesIn(place)
  expect(begun.length).toBeGreaterThan(0)
  expect(begun).not.toContainEqual(expect.stringContaining("results.json"))

  const second = await start("two", url)
  // Nobody sees what the first one has written.
  const listed = await send(second.url, "GET", `${FILES}/default/filesets/evaluation-${id}/files`)
  expect(listed.json?.data ?? []).toEqual([])
  await queryDatabase(url, "update evaluation_jobs set leased_until = 0")
  expect(await untilJob(second.url, id, ["COMPLETED", "FAILED"])).toMatchObject({
    status: "COMPLETED",
    status_details: { samples_failed: ROWS / 10 },
  })
  failing = false
  await send(second.url, "POST", `${JOBS}/${id}/retry-failed`)
  const { status_details: details } = await untilJob(second.url, id, ["COMPLETED", "FAILED"])
  expect(details).toMatchObject({ samples_processed: ROWS, samples_failed: 0 })
  const before = await results(second.url, id)
  expect(Object.keys(before)).toHaveLength(12)

  first.signal("SIGCONT")
  // It finds that the job is another one's, and takes back what it wrote.
  while ((await filesIn(join(place, "attempt-1"))).length > 0) await setTimeout(20)
  expect((await send(first.url, "GET", `${JOBS}/${id}`)).json.status).toBe("COMPLETED")
  expect(await results(second.url, id)).toEqual(before)
  expect(await results(first.url, id)).toEqual(before)
  const record = await send(first.url, "GET", `${JOBS}/${id}/results`)
  expect(JSON.parse(before["results/results.json"] ?? "")).toEqual(record.json)
  expect(record.json.tasks.qa.metrics.echoed.scores).toMatchObject({ "string-check": { stats: { count: ROWS } } })
})

it("a server that is killed while it writes results begins them anew when it starts again [results.one-step, run.resume]", async () => {
  failing = false
  const killed = await startServerProcess(folder)
  processes.push(killed)
  const id = await launchQuestions(killed.url, { fake, count: ROWS, params: { parallelism: 32 } })
  const place = join(folder, ".assay", "storage", "filesets", "default", `evaluation-${id}`)
  await untilWriting(place)
  await killed.kill()
  expect(await filesIn(place)).not.toContainEqual(expect.stringContaining("results.json"))
  const next = await startServerProcess(folder)
  processes.push(next)
  expect(await untilJob(next.url, id, ["COMPLETED", "FAILED"])).toMatchObject({ status: "COMPLETED" })
  const all = await results(next.url, id)
  expect(Object.keys(all)).toHaveLength(12)
  const record = await send(next.url, "GET", `${JOBS}/${id}/results`)
  expect(JSON.parse(all["results/results.json"] ?? "")).toEqual(record.json)
  expect(all["results/rows.jsonl"]?.trimEnd().split("\n")).toHaveLength(ROWS)
})

async function start(name: string, url: string): Promise<ServerProcess> {
  const one = await startServerProcess(folder, {
    DATABASE_URL: url,
    ASSAY_SHARED_LOCAL: "1",
    ASSAY_DATA_DIR: join(folder, name),
    ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: join(folder, "storage") }),
    ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
  })
  processes.push(one)
  return one
}

/** Until there is the first file of results. */
async function untilWriting(place: string): Promise<void> {
  while (!existsSync(place) || (await filesIn(place)).length === 0) await setImmediate()
}

async function filesIn(place: string): Promise<string[]> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith(".")).map(({ name }) => name)
}

/** Every file of the results, by its path. */
async function results(url: string, id: string): Promise<Record<string, string>> {
  const fileset = `${FILES}/default/filesets/evaluation-${id}`
  const { json } = await send(url, "GET", `${fileset}/files`)
  const all: Record<string, string> = {}
  for (const { path } of json.data) all[path] = (await send(url, "GET", `${fileset}/-/${path}`)).text
  return all
}
