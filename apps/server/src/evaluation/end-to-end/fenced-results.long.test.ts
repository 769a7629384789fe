// Types the values of `inject`.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import {
  createDatabase,
  type FakeInference,
  type FakeModel,
  type FakeObjstore,
  queryDatabase,
  startFakeInference,
  startFakeObjstore,
  verifies,
} from "@assay/testkit"
import { afterEach, beforeEach, expect, inject, it } from "vitest"
import { JOBS, launchQuestions, untilJob } from "../../testing/evaluation-launch.ts"
import { startServerProcess, type ServerProcess } from "../../testing/start-server-process.ts"
import { FILES, SECRETS, send, startTestServer } from "../../testing/start-test-server.ts"

const ROWS = 20
const LAST_WRITTEN = "results/results.json"

let folder: string
let fake: FakeInference
let store: FakeObjstore
let failing = true
/** Lets the store accept the last file of the results. */
let release: () => void
const processes: ServerProcess[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "assay-fenced-"))
  failing = true
  const echo: FakeModel = ({ messages }) => {
    const question = String(messages.at(-1)?.content)
    if (failing && question.endsWith("7"))
      return { fault: { kind: "answer", status: 400, body: { error: { message: "no answer to that" } } } }
    return { content: question }
  }
  fake = await startFakeInference({ models: { echo } })
  store = await startFakeObjstore()
  const released = Promise.withResolvers<void>()
  release = released.resolve
  store.faults.add({ when: isLastWrite, times: 1, fault: { kind: "hold", until: released.promise } })
})
afterEach(async () => {
  release()
  for (const one of processes.splice(0)) await one.kill()
  await Promise.all([fake.close(), store.close()])
  await rm(folder, { recursive: true })
})

it(
  "A runner that was believed dead does not change the results of the next one",
  verifies("results.fenced", "results.one-step", "eval.unavailable"),
  async () => {
    const url = await createDatabase(inject("postgresUrl"))
    const shared = { ...settings(), DATABASE_URL: url }
    const first = await start({ ...shared, ASSAY_DATA_DIR: join(folder, "one") })
    await putKeys(first.url)
    const id = await launchQuestions(first.url, { fake, count: ROWS, params: { max_failed_share: 0.5 } })
    await untilLastIsHeld()
    first.signal("SIGSTOP")
    const [held] = await queryDatabase(url, "select lease from evaluation_jobs")
    const begun = writtenBy(1)
    expect(begun.length).toBeGreaterThan(5)
    expect(begun).not.toContain(LAST_WRITTEN)

    await using second = await startTestServer({ ...shared, ASSAY_DATA_DIR: join(folder, "two") })
    // Readers do not see what the first runner has written.
    const listed = await second.call("GET", `${FILES}/default/filesets/evaluation-${id}/files`)
    expect(listed.json?.data ?? []).toEqual([])
    // Only the lease of the first runner: on a busy machine it has ended already, and the second runner holds another one.
    await queryDatabase(url, `update evaluation_jobs set leased_until = 0 where lease = '${String(held?.["lease"])}'`)
    expect(await untilJob(second.url, id, ["COMPLETED", "FAILED"])).toMatchObject({
      status: "COMPLETED",
      status_details: { samples_failed: ROWS / 10 },
    })
    failing = false
    await second.call("POST", `${JOBS}/${id}/retry-failed`)
    const { status_details: details } = await untilJob(second.url, id, ["COMPLETED", "FAILED"])
    expect(details).toMatchObject({ samples_processed: ROWS, samples_failed: 0 })
    const before = await results(second.url, id)
    expect(Object.keys(before)).toHaveLength(12)

    release()
    first.signal("SIGCONT")
    // It finds that another runner has the job, and removes what it wrote.
    await expect.poll(() => writtenBy(1), { timeout: 60_000 }).toEqual([])
    expect((await send(first.url, "GET", `${JOBS}/${id}`)).json.status).toBe("COMPLETED")
    expect(await results(second.url, id)).toEqual(before)
    expect(await results(first.url, id)).toEqual(before)
    const record = await send(first.url, "GET", `${JOBS}/${id}/results`)
    expect(JSON.parse(before[LAST_WRITTEN] ?? "")).toEqual(record.json)
    expect(record.json.tasks.qa.metrics.echoed.scores).toMatchObject({ "string-check": { stats: { count: ROWS } } })
  },
)

it(
  "A server that was killed while it wrote results writes them again when it starts",
  verifies("results.one-step", "run.resume"),
  async () => {
    failing = false
    const env = { ...settings(), ASSAY_DATA_DIR: join(folder, "data") }
    const killed = await start(env)
    await putKeys(killed.url)
    const id = await launchQuestions(killed.url, { fake, count: ROWS })
    await untilLastIsHeld()
    await killed.kill()
    expect(writtenBy(1)).not.toContain(LAST_WRITTEN)
    await using next = await startTestServer(env)
    expect(await untilJob(next.url, id, ["COMPLETED", "FAILED"])).toMatchObject({ status: "COMPLETED" })
    const all = await results(next.url, id)
    expect(Object.keys(all)).toHaveLength(12)
    const record = await next.call("GET", `${JOBS}/${id}/results`)
    expect(JSON.parse(all[LAST_WRITTEN] ?? "")).toEqual(record.json)
    expect(all["results/rows.jsonl"]?.trimEnd().split("\n")).toHaveLength(ROWS)
  },
)

function settings(): Readonly<Record<string, string>> {
  return {
    ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
    ASSAY_DEFAULT_STORAGE: JSON.stringify({
      type: "s3",
      bucket: store.bucket,
      region: store.region,
      endpoint_url: store.endpoint,
      access_key_id_secret: "id",
      secret_access_key_secret: "key",
    }),
  }
}

/** Creates the secrets with the keys of the object store. */
async function putKeys(url: string): Promise<void> {
  for (const [name, value] of [
    ["id", store.accessKeyId],
    ["key", store.secretAccessKey],
  ])
    expect((await send(url, "POST", `${SECRETS}/system/secrets`, { json: { name, value } })).status).toBe(201)
}

async function start(env: Readonly<Record<string, string>>): Promise<ServerProcess> {
  const one = await startServerProcess(folder, env)
  processes.push(one)
  return one
}

function isLastWrite({ method, key }: { readonly method: string; readonly key: string }): boolean {
  return method === "PUT" && key.endsWith(LAST_WRITTEN)
}

/** Waits until the first runner is about to write the last file of its results. */
async function untilLastIsHeld(): Promise<void> {
  await expect.poll(() => store.requests.some(isLastWrite), { timeout: 60_000, interval: 5 }).toBe(true)
}

/** Returns the files that a runner has written, by their paths in its results. */
function writtenBy(attempt: number): string[] {
  return store.objects().flatMap((key) => key.split(`/attempt-${attempt}/`).slice(1))
}

/** Returns every file of the results, by its path. */
async function results(url: string, id: string): Promise<Record<string, string>> {
  const fileset = `${FILES}/default/filesets/evaluation-${id}`
  const { json } = await send(url, "GET", `${fileset}/files`)
  const all: Record<string, string> = {}
  for (const { path } of json.data) all[path] = (await send(url, "GET", `${fileset}/-/${path}`)).text
  return all
}
