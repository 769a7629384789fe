import { hash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { JobGate, JobGateState } from "@assay/schemas"
import { startFakeObjstore, verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { LaunchSubject } from "@assay/attempts"
import { createTestRuns, type TestRuns } from "../testing/cut-runs/cut-run-of-test.ts"
import { type FakeChat, startFakeChat } from "../testing/cut-runs/fake-chat.ts"
import { readRecords } from "./read-segments.ts"
import { reopenFailedShards } from "./reopen-shards.ts"
import type { RunStore } from "@assay/executors"

const ROWS = 2000

let chat: FakeChat
let runs: TestRuns
beforeEach(async () => {
  chat = await startFakeChat()
  // Slower than a look of a shard at the others.
  chat.slowness = 40
  runs = createTestRuns({ "rows.csv": csvOf(ROWS), "more.csv": csvOf(40) })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  runs[Symbol.dispose]()
  await chat.close()
})

/** Rows of which nine of ten have the answer of the model as their reference. */
function csvOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const question = `Question ${row} of ${rows}`
    const right = Number.parseInt(hash("sha256", `chat ${question}`).slice(0, 6), 16) % 3
    return `${question},answer ${row % 10 === 0 ? "none" : right}`
  })
  return `question,reference\n${lines.join("\n")}\n`
}

const GATE: JobGate = { task: "qa", metric: "exact", op: ">=", value: 0.8, stop: "early" }

function jobOf(gates: readonly JobGate[], params: object = {}): LaunchSubject {
  const task = (file: string) => ({
    type: "chat-completion",
    dataset: { files_url: file },
    metrics: { exact: { type: "em", params: { ground_truth: "{{ item.reference }}" } } },
    params: { template: { messages: [{ role: "user", content: "{{ item.question }}" }] } },
  })
  return {
    namespace: "default",
    target: { type: "model", model: { api_endpoint: { url: `${chat.url}/v1`, model_id: "chat" } } },
    config: {
      type: "custom",
      params: { parallelism: 8, gates: [...gates], ...params },
      tasks: { qa: task("./rows.csv"), more: task("./more.csv") },
    },
  }
}

interface Whole {
  readonly id: string
  readonly gates: readonly JobGateState[]
}

/** Runs a job in one process. */
async function runWhole(job: LaunchSubject): Promise<Whole> {
  const folder = await runs.runWhole(job, "whole")
  const whole = JSON.parse(readFileSync(join(folder, "config", "job.json"), "utf8")) as Whole
  chat.forget()
  return whole
}

const decisionOf = ({ name, verdict, decided_after }: JobGateState) => ({ name, verdict, decided_after })

/** Runs all shards, at most as many at once as the plan says, in the order in which an engine starts them. */
async function runShards(store: RunStore, { shards, at_once }: Awaited<ReturnType<TestRuns["cut"]>>): Promise<void> {
  const left = [...shards.keys()]
  const next = async (): Promise<void> => {
    for (let index = left.shift(); index !== undefined; index = left.shift()) {
      expect(await runs.shard(store, index)).toMatchObject({ kind: "published", isFirst: true })
    }
  }
  await Promise.all(Array.from({ length: at_once }, next))
}

/** Makes waits between two looks of shards at each other short. */
function hurry(): void {
  const { ports } = runs
  vi.spyOn(ports, "sleep").mockImplementation((ms, signal) => pause(ms / 20, undefined, { signal }))
}

describe("gates that end a job in shards", () => {
  it.each([
    { shards: 4, atOnce: 4 },
    { shards: 9, atOnce: 4 },
    { shards: 3, atOnce: 1 },
  ])(
    "are decided after the same rows as in one process, with $shards shards of which $atOnce run at once",
    verifies("units.gates"),
    async (sizes) => {
      hurry()
      const whole = await runWhole(jobOf([GATE]))
      const store = await runs.open("run")
      const plan = await runs.cut(store, jobOf([GATE]), { id: whole.id, ...sizes })
      expect(plan).toMatchObject({ version: 2, at_once: sizes.atOnce })
      await runShards(store, plan)
      const { outcome } = await runs.merge(store)
      expect(outcome.progress.gates?.map(decisionOf)).toEqual(whole.gates.map(decisionOf))
      expect(outcome).toMatchObject({ status: "COMPLETED", progress: { stoppedEarly: { rows_total: ROWS + 40 } } })
      expect(outcome.message).toMatch(/^PASS after [\d,]+ of 2,040 rows; [\d.]+ % of the calls saved/)
      expect(chat.asked.size).toBeLessThan(ROWS / 2)
      // The other task is asked to the end.
      expect([...chat.asked.keys()].filter((key) => key.endsWith("of 40"))).toHaveLength(40)
      const lines = readFileSync(join(runs.folder, "run", "results", "rows.jsonl"), "utf8")
        .split("\n")
        .slice(0, -1)
      const numbers = lines.map((line) => JSON.parse(line) as { task: string; row_index: number })
      const ordered = numbers.toSorted(
        (a, b) => Number(a.task === "more") - Number(b.task === "more") || a.row_index - b.row_index,
      )
      expect(numbers).toEqual(ordered)
      expect(lines).toHaveLength(chat.asked.size)
    },
  )

  it("are decided by several gates, repeats and other results, in a bucket as in one process", async () => {
    hurry()
    const objstore = await startFakeObjstore()
    try {
      vi.stubEnv("AWS_ACCESS_KEY_ID", objstore.accessKeyId)
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", objstore.secretAccessKey)
      vi.stubEnv("AWS_REGION", objstore.region)
      vi.stubEnv("AWS_ENDPOINT_URL_S3", objstore.endpoint)
      const params = { repeats: 2, limit_samples: 800 }
      chat.slowness = 0
      await runs.runWhole(jobOf([], params), "before")
      chat.slowness = 40
      const gates: JobGate[] = [GATE, { task: "qa", metric: "exact", against: "./before", margin: 0.05, stop: "early" }]
      const job = jobOf(gates, params)
      const whole = await runWhole(job)
      const store = await runs.open("s3://files/some/run")
      const plan = await runs.cut(store, job, { id: whole.id, shards: 4 })
      // The run has a copy of it.
      writeFileSync(join(runs.folder, "before", "results", "rows.jsonl"), "")
      await runShards(store, plan)
      const { outcome } = await runs.merge(store, join(runs.folder, "merged"))
      expect(outcome.progress.gates?.map(decisionOf)).toEqual(whole.gates.map(decisionOf))
      expect(outcome.progress.stoppedEarly).toBeDefined()
    } finally {
      await objstore.close()
    }
  })

  it("ask nothing in shards that start after the decision, or that were stopped before it", async () => {
    hurry()
    const whole = await runWhole(jobOf([GATE]))
    const store = await runs.open("run")
    const plan = await runs.cut(store, jobOf([GATE]), { id: whole.id, shards: 4, atOnce: 2 })
    const stop = new AbortController()
    const stopped = runs.shard(store, 0, stop.signal)
    while (chat.asked.size < 20) await pause(1)
    stop.abort()
    await expect(stopped).rejects.toThrow()
    await Promise.all([0, 1].map((index) => runs.shard(store, index)))
    const before = chat.asked.size
    await runs.shard(store, 2)
    await runs.shard(store, 3)
    // Those of the other task.
    expect(chat.asked.size - before).toBeLessThanOrEqual(40)
    const ends = (await readRecords(store, [...plan.shards.keys()])).map(({ end }) => end)
    expect(ends).toEqual(plan.shards.map(() => ({ kind: "gates", tasks: ["qa"] })))
    const { outcome } = await runs.merge(store)
    expect(outcome.progress.gates?.map(decisionOf)).toEqual(whole.gates.map(decisionOf))
  })

  it("are not decided by a file that says so: the merge names the run as damaged, and its rows can be asked", async () => {
    hurry()
    const store = await runs.open("run")
    const plan = await runs.cut(store, jobOf([GATE]), { shards: 2 })
    await runs.shard(store, 0, AbortSignal.timeout(30)).catch(() => {})
    mkdirSync(join(runs.folder, "run", "gates"))
    writeFileSync(join(runs.folder, "run", "gates", "0.json"), '{"task":"qa"}')
    await runShards(store, plan)
    await expect(runs.merge(store)).rejects.toMatchObject({
      code: "content_damaged",
      message: expect.stringMatching(
        /ended early because the gates of task 'qa' were decided, and their rows do not decide them/,
      ),
    })
    expect(await reopenFailedShards(store, Date.now)).toEqual([0, 1])
    await runShards(store, plan)
    expect((await runs.merge(store)).outcome).toMatchObject({ status: "COMPLETED", progress: { stoppedEarly: {} } })
  })

  it("ask all rows in shards if one gate of the task is not early, as in one process", async () => {
    const gates: JobGate[] = [GATE, { task: "qa", metric: "exact", op: "<=", value: 0.99 }]
    const job = jobOf(gates, { limit_samples: 100 })
    chat.slowness = 0
    const whole = await runWhole(job)
    const store = await runs.open("run")
    const plan = await runs.cut(store, job, { id: whole.id, shards: 3 })
    expect(plan.version).toBe(1)
    await runShards(store, plan)
    const { outcome } = await runs.merge(store)
    expect(outcome.progress.gates).toEqual(whole.gates)
    expect(outcome.progress).toMatchObject({ processed: 140, total: 140 })
  })
})
