import { setTimeout as pause } from "node:timers/promises"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest"
import type { LaunchSubject } from "@assay/attempts"
import { createTestRuns, type TestRuns } from "../testing/cut-runs/cut-run-of-test.ts"
import { type FakeChat, startFakeChat } from "../testing/cut-runs/fake-chat.ts"
import { reopenFailedShards } from "./reopen-shards.ts"
import { readRunState, readProgress, type RunStore } from "@assay/executors"

const ROWS = 200
const SHARDS = 4

let chat: FakeChat
let runs: TestRuns
beforeAll(async () => {
  chat = await startFakeChat()
})
afterAll(() => chat.close())
beforeEach(() => {
  chat.isLenient = false
  chat.forget()
  const rows = Array.from({ length: ROWS }, (_, row) => `refuse ${row}`)
  runs = createTestRuns({ "rows.csv": `question\n${rows.join("\n")}\n` })
  // A look at the other shards comes after 20 ms instead of a second.
  const { ports } = runs
  vi.spyOn(ports, "sleep").mockImplementation((ms, signal) => pause(ms / 50, undefined, { signal }))
  return () => runs[Symbol.dispose]()
})

async function cut(): Promise<RunStore> {
  const job: LaunchSubject = {
    namespace: "default",
    target: { type: "model", model: { api_endpoint: { url: `${chat.url}/v1`, model_id: "chat" } } },
    config: {
      type: "custom",
      params: { parallelism: SHARDS, max_failed_share: 0.2 },
      tasks: {
        qa: {
          params: { template: "{{ item.question }}" },
          dataset: { files_url: "./rows.csv" },
          metrics: { t: { type: "tokens" } },
        },
      },
    },
  }
  const store = await runs.open("run")
  await runs.cut(store, job, { shards: SHARDS })
  return store
}

it("A run ends when more rows of all shards have failed than may", verifies("units.failed-share"), async () => {
  const store = await cut()
  for (let index = 0; index < SHARDS; index++) {
    expect(await runs.shard(store, index)).toMatchObject({ kind: "published" })
  }
  // The first shard asks all of its 50 rows, if it ends before 41 of them have failed; the others stop soon after their first failures.
  expect(chat.asked.size).toBeLessThan(ROWS / 2)
  const { shards } = await readRunState(store)
  const ends = shards.slice(1).map(({ state, isStopped }) => `${state} ${isStopped}`)
  expect(ends).toEqual(Array(SHARDS - 1).fill("done true"))
  // The first one can have asked all of its rows before the last of them had failed.
  expect(shards[0]?.isStopped).toBe((shards[0]?.progress?.processed ?? 0) < ROWS / SHARDS)
  const { outcome } = await runs.merge(store)
  expect(outcome.status).toBe("FAILED")
  expect(outcome.message).toMatch(/of the 200 rows of task "qa" had failed, max_failed_share allows 40; all with /)
})

it("A run that ended early asks its failed and remaining rows again, when its shards are opened again", async () => {
  const store = await cut()
  for (let index = 0; index < SHARDS; index++) await runs.shard(store, index)
  chat.isLenient = true
  expect(await reopenFailedShards(store, Date.now)).toEqual([0, 1, 2, 3])
  // Earlier failures do not end the shards that run first.
  const standing = [0, 1, 2, 3].map(async (index) => (await readProgress(store, index))?.standing)
  expect(await Promise.all(standing)).toEqual([0, 0, 0, 0])
  for (let index = 0; index < SHARDS; index++) await runs.shard(store, index)
  const { outcome } = await runs.merge(store)
  expect(outcome).toMatchObject({ status: "COMPLETED", progress: { processed: ROWS, total: ROWS, failed: 0 } })
})

it("A run whose failures are few asks all rows", async () => {
  const store = await cut()
  chat.isLenient = true
  for (let index = 0; index < SHARDS; index++) await runs.shard(store, index)
  expect((await runs.merge(store)).outcome).toMatchObject({ status: "COMPLETED", progress: { processed: ROWS } })
})
