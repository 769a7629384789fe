import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { startFakeObjstore, verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { LaunchSubject } from "@assay/attempts"
import { reopenFailedShards } from "./reopen-shards.ts"
import { comparableResults } from "../testing/cut-runs/comparable-results.ts"
import { createTestRuns, type TestRuns } from "../testing/cut-runs/cut-run-of-test.ts"
import { type FakeChat, startFakeChat } from "../testing/cut-runs/fake-chat.ts"

let chat: FakeChat
let runs: TestRuns
beforeEach(async () => {
  chat = await startFakeChat()
  runs = createTestRuns({ "rows.csv": csvOf(60), "more.csv": csvOf(7) })
})
afterEach(async () => {
  vi.unstubAllEnvs()
  runs[Symbol.dispose]()
  await chat.close()
})

/** Rows of which every 9th is refused, every 5th retried, and every 4th cut off. */
function csvOf(rows: number): string {
  const words = (row: number) =>
    [row % 9 === 4 ? "refuse" : "", row % 5 === 3 ? "retry" : "", row % 4 === 0 ? "cut" : ""].join(" ")
  const lines = Array.from(
    { length: rows },
    (_, row) => `Question ${row} of ${rows} ${words(row)},answer ${row % 3},${row % 2}`,
  )
  return `question,reference,kind\n${lines.join("\n")}\n`
}

function jobOf({ url }: FakeChat, params: object = {}): LaunchSubject {
  const model = (model_id: string) => ({ api_endpoint: { url: `${url}/v1`, model_id } })
  const judge = {
    type: "llm-judge",
    params: {
      model: model("judge"),
      template: { messages: [{ role: "user", content: "Rate {{ sample.output_text }} for {{ item.question }}" }] },
      scores: { rating: { type: "int", parser: { type: "json", json_path: "rating" } } },
    },
  }
  const template = { messages: [{ role: "user", content: "{{ item.question }}" }] }
  const metrics = { exact: { type: "em", params: { ground_truth: "{{ item.reference }}" } }, judge }
  const task = (file: string) => ({
    type: "chat-completion",
    dataset: { files_url: file },
    metrics,
    params: { template },
  })
  return {
    namespace: "default",
    target: { type: "model", model: model("chat") },
    config: {
      type: "custom",
      params: { parallelism: 8, max_failed_share: 0.5, slices: ["kind"], repeats: 2, ...params },
      tasks: { zebra: task("./rows.csv"), ant: task("./more.csv") },
    },
  }
}

function useBucket({ endpoint, accessKeyId, secretAccessKey, region }: Awaited<ReturnType<typeof startFakeObjstore>>) {
  vi.stubEnv("AWS_ACCESS_KEY_ID", accessKeyId)
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", secretAccessKey)
  vi.stubEnv("AWS_REGION", region)
  vi.stubEnv("AWS_ENDPOINT_URL_S3", endpoint)
}

describe("a run that is cut into shards", () => {
  it.each([3, 16])(
    "has the results of one process if it has %i shards, in whichever order they run",
    verifies("units.same-results"),
    async (shards) => {
      const whole = await runs.runWhole(jobOf(chat), "whole")
      chat.forget()
      const store = await runs.open("run")
      const plan = await runs.cut(store, jobOf(chat), { shards })
      expect(plan.shards).toHaveLength(shards)
      for (const index of [...plan.shards.keys()].toReversed()) {
        expect(await runs.shard(store, index)).toMatchObject({ kind: "published", isFirst: true })
      }
      const merged = await runs.merge(store)
      expect(merged.outcome.conditions.length).toBeGreaterThan(2)
      const [expected, found] = [comparableResults(whole), comparableResults(join(runs.folder, "run"))]
      expect(Object.keys(found)).toEqual(Object.keys(expected))
      for (const [path, text] of Object.entries(expected)) expect(found[path], path).toBe(text)
    },
  )

  it(
    "has the results of one process if it is in a bucket, and leaves only its records there",
    verifies("units.bucket"),
    async () => {
      const objstore = await startFakeObjstore()
      try {
        useBucket(objstore)
        const whole = await runs.runWhole(jobOf(chat), "whole")
        chat.forget()
        const store = await runs.open("s3://files/some/run")
        await runs.cut(store, jobOf(chat), { shards: 4 })
        await Promise.all([0, 1, 2, 3].map((index) => runs.shard(store, index)))
        const out = join(runs.folder, "merged")
        await runs.merge(store, out)
        expect(comparableResults(out)).toEqual(comparableResults(whole))
        await runs.merge(store)
        const paths = await Array.fromAsync(store.storage.list(), ({ path }) => path)
        expect(paths.filter((path) => path.startsWith("rows/"))).toEqual([])
        expect(paths).toContain("results/rows.jsonl")
      } finally {
        await objstore.close()
      }
    },
  )

  it("asks only rows that are missing if a shard is stopped and run again", verifies("units.restart"), async () => {
    const store = await runs.open("run")
    await runs.cut(store, jobOf(chat), { shards: 2 })
    const stop = new AbortController()
    const enough = setInterval(() => chat.asked.size > 30 && stop.abort(), 1)
    await expect(runs.shard(store, 0, stop.signal)).rejects.toThrow()
    clearInterval(enough)
    const before = new Map(chat.asked)
    expect(before.size).toBeGreaterThan(30)
    expect(await runs.shard(store, 0)).toMatchObject({ kind: "published", isFirst: true })
    await runs.shard(store, 1)
    await runs.merge(store)
    // Each question is asked twice, for its repeats, and once more if the first answer is 503. Rows that were in flight are asked again.
    const again = [...chat.asked].filter(
      ([key, count]) => count > (key.includes("retry") && key.startsWith("chat") ? 3 : 2),
    )
    expect(again.filter(([key]) => key.startsWith("chat ")).length).toBeLessThanOrEqual(8)
    const whole = await runs.runWhole(jobOf(chat), "whole")
    const rows = "results/rows.jsonl"
    const merged = comparableResults(join(runs.folder, "run"))
    expect(merged[rows]).toBe(comparableResults(whole)[rows])
    // The advice on rows that the stopped process has asked.
    expect(merged["config/job.json"]).toContain('"code": "server_overloaded"')
  })

  it("has the rows of one process if two processes run a shard at the same time", verifies("units.twice"), async () => {
    const store = await runs.open("run")
    await runs.cut(store, jobOf(chat), { shards: 1 })
    const ends = await Promise.all([runs.shard(store, 0), runs.shard(store, 0)])
    expect(ends.map((end) => end.kind === "published" && end.isFirst)).toContain(true)
    const segments = await Array.fromAsync(
      store.storage.list({ prefix: "segments/" }),
      ({ path }) => path.split("/")[2],
    )
    expect(new Set(segments).size).toBe(1)
    expect((await runs.merge(store)).outcome.progress).toMatchObject({ processed: 134, total: 134 })
    expect(await runs.shard(store, 0)).toMatchObject({ kind: "published", isFirst: false })
  })

  it("asks failed rows again if its shard has failed because the endpoint was down", async () => {
    const store = await runs.open("run")
    chat.isDown = true
    const job = jobOf(chat)
    await runs.cut(store, job, { shards: 1 })
    chat.isDown = true
    const first = await runs.shard(store, 0)
    expect(first).toMatchObject({ kind: "failed" })
    await expect(runs.merge(store)).rejects.toMatchObject({
      code: "shards_missing",
      message: expect.stringMatching(/1 of 1 shards .* have no rows yet: 0\. Shard 0 failed: The first 10 rows/),
    })
    chat.isDown = false
    expect(await runs.shard(store, 0)).toMatchObject({ kind: "published", isFirst: true })
    expect((await runs.merge(store)).outcome).toMatchObject({ status: "COMPLETED", progress: { processed: 134 } })
  })

  it("asks failed rows again, and no others, if its shards are opened again", async () => {
    const store = await runs.open("run")
    await runs.cut(store, jobOf(chat, { repeats: 1 }), { shards: 3 })
    for (const index of [0, 1, 2]) await runs.shard(store, index)
    await runs.merge(store)
    chat.forget()
    chat.isLenient = true
    const reopened = await reopenFailedShards(store, Date.now)
    expect(reopened.length).toBeGreaterThan(1)
    await expect(runs.merge(store)).rejects.toMatchObject({ code: "shards_missing" })
    for (const index of reopened) expect(await runs.shard(store, index)).toMatchObject({ kind: "published" })
    const questions = [...chat.asked.keys()].filter((key) => key.startsWith("chat "))
    expect(questions.length).toBeGreaterThan(5)
    expect(questions.every((key) => key.includes("refuse"))).toBe(true)
    expect((await runs.merge(store)).outcome.progress).toMatchObject({ processed: 67, failed: 0 })
    const lines = readFileSync(join(runs.folder, "run", "results", "rows.jsonl"), "utf8").split("\n")
    const asked = lines.filter((line) => line.startsWith('{"task":"zebra","row_index":4,'))
    expect(asked.map((line) => (JSON.parse(line) as { attempt: number }).attempt)).toEqual([1, 2])
    expect(await reopenFailedShards(store, Date.now)).toEqual([])
  })

  it("reads the rows that were there when it was cut", verifies("units.pinned"), async () => {
    const store = await runs.open("run")
    await runs.cut(store, jobOf(chat), { shards: 2 })
    writeFileSync(join(runs.folder, "rows.csv"), "question,reference,kind\nother,1,1\n")
    await runs.shard(store, 0)
    await runs.shard(store, 1)
    expect((await runs.merge(store)).outcome.progress).toMatchObject({ processed: 134, total: 134 })
  })

  it(
    "uses at most its budget and what its shards ask between two looks at each other's counts",
    verifies("units.budget"),
    async () => {
      const store = await runs.open("run")
      await runs.cut(store, jobOf(chat, { budget: { max_requests: 20 }, repeats: 1 }), { shards: 2 })
      await runs.shard(store, 0)
      await runs.shard(store, 1)
      const { outcome } = await runs.merge(store)
      expect(outcome).toMatchObject({
        status: "COMPLETED",
        progress: { processed: 20, total: 67, budgetExhausted: "max_requests" },
      })
      expect(outcome.message).toMatch(/^Ended by max_requests after 20 of 67 rows/)
    },
  )

  it("does not count rows that send no request in its budget", async () => {
    const store = await runs.open("run")
    const dataset = { files_url: "./rows.csv" }
    const exact = { type: "em", params: { ground_truth: "{{ item.reference }}" } } as const
    const job: LaunchSubject = {
      namespace: "default",
      target: { type: "cached_outputs", cached_outputs: dataset },
      config: {
        type: "custom",
        params: { budget: { max_requests: 10 } },
        tasks: { given: { type: "data", dataset, metrics: { exact } } },
      },
    }
    await runs.cut(store, job, { shards: 3 })
    for (const index of [0, 1, 2]) await runs.shard(store, index)
    const { progress } = (await runs.merge(store)).outcome
    expect([progress.processed, progress.total, progress.budgetExhausted]).toEqual([60, 60, undefined])
  })

  it("opens the shards with failed rows again while others have not run", async () => {
    const store = await runs.open("run")
    await runs.cut(store, jobOf(chat, { repeats: 1 }), { shards: 3 })
    await runs.shard(store, 0)
    expect(await reopenFailedShards(store, Date.now)).toEqual([0])
    expect(await reopenFailedShards(store, Date.now)).toEqual([])
    for (const index of [0, 1, 2]) await runs.shard(store, index)
    expect((await runs.merge(store)).outcome.progress).toMatchObject({ processed: 67 })
  })

  it("keeps its rows in a bucket that refuses some of them once", async () => {
    const objstore = await startFakeObjstore()
    try {
      useBucket(objstore)
      const store = await runs.open("s3://files/some/run")
      // The answers take longer than the rows wait to be sent.
      await runs.cut(store, jobOf(chat, { parallelism: 1 }), { shards: 1 })
      const isRows = ({ method, url }: { readonly method: string; readonly url: string }) =>
        method === "PUT" && url.includes("/rows/")
      objstore.faults.add({ when: isRows, times: 1, fault: { kind: "refuse", status: 403, code: "AccessDenied" } })
      expect(await runs.shard(store, 0)).toMatchObject({ kind: "published" })
      expect((await runs.merge(store, join(runs.folder, "merged"))).outcome.progress).toMatchObject({ processed: 134 })
    } finally {
      await objstore.close()
    }
  })

  it("refuses a key in the job, a second plan, an unknown index and a plan of another version", async () => {
    const store = await runs.open("run")
    const job = jobOf(chat)
    const secret = JSON.parse(
      JSON.stringify(job).replace('"model_id":"chat"', '"model_id":"chat","api_key":"sk-1234567890"'),
    ) as LaunchSubject
    await expect(runs.cut(store, secret, { shards: 2 })).rejects.toMatchObject({ code: "bad_document" })
    await expect(runs.shard(store, 0)).rejects.toMatchObject({ code: "bad_document", message: /There is no run at/ })
    await runs.cut(store, job, { shards: 2 })
    await expect(runs.cut(store, job, { shards: 2 })).rejects.toMatchObject({ code: "output_exists" })
    await expect(runs.shard(store, 2)).rejects.toMatchObject({ code: "bad_usage", message: /has the shards 0 to 1/ })
    const path = join(runs.folder, "run", "plan.json")
    writeFileSync(path, readFileSync(path, "utf8").replace('"version":1', '"version":3'))
    await expect(runs.shard(store, 0)).rejects.toMatchObject({ code: "bad_document", message: /version 3/ })
  })
})
