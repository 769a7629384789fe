import { setTimeout } from "node:timers/promises"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { createInProcessQueue } from "./in-process-queue.ts"
import type { JobQueue } from "./job-queue.ts"
import { createPgBossQueue } from "./pg-boss-queue.ts"
import { openSharedJobs, type SharedJobs } from "../testing/open-shared-jobs.ts"

const DEADLINE = { timeout: 20_000, interval: 5 }
/** How often a worker looks for new jobs. */
const POLL_MS = 20

/** Creates a handler whose jobs end when the test releases them. */
function createRuns() {
  const running = new Map<string, () => void>()
  const begun: string[] = []
  return {
    begun,
    handler: (jobId: string) =>
      new Promise<void>((resolve) => {
        begun.push(jobId)
        running.set(jobId, resolve)
      }),
    end: (jobId: string) => running.get(jobId)?.(),
    until: (count: number) => expect.poll(() => begun.length, DEADLINE).toBe(count),
  }
}

describe("a queue in this process", () => {
  it("delivers jobs in order, up to the maximum at the same time, each once", async () => {
    const queue = createInProcessQueue()
    for (const id of ["a", "b", "a", "c"]) await queue.enqueue(id)
    const runs = createRuns()
    await queue.start(runs.handler, { concurrency: 2 })
    expect(runs.begun).toEqual(["a", "b"])
    await queue.enqueue("a")
    runs.end("b")
    await runs.until(3)
    expect(runs.begun).toEqual(["a", "b", "c"])
    runs.end("a")
    await runs.until(4)
    expect(runs.begun).toEqual(["a", "b", "c", "a"])
    await queue.close()
    await queue.enqueue("d")
    expect(runs.begun).toHaveLength(4)
  })

  it("delivers jobs with a higher priority first", async () => {
    const queue = createInProcessQueue()
    await queue.enqueue("usual")
    await queue.enqueue("late", -1)
    await queue.enqueue("urgent", 2)
    const runs = createRuns()
    await queue.start(runs.handler, { concurrency: 3 })
    expect(runs.begun).toEqual(["urgent", "usual", "late"])
  })
})

describe("a queue on PostgreSQL", () => {
  const open: JobQueue[] = []
  let test: SharedJobs
  const errors: unknown[] = []
  const openQueue = async () => {
    const boss = await test.openBoss(await test.openAnother())
    const queue = createPgBossQueue(boss, { onError: (error) => errors.push(error), pollMs: POLL_MS })
    open.push(queue)
    return queue
  }
  beforeAll(async () => {
    test = await openSharedJobs()
  })
  afterAll(async () => {
    for (const queue of open) await queue.close()
    await test[Symbol.asyncDispose]()
    expect(errors).toEqual([])
  })

  it("delivers each job to one of the servers that share it", verifies("run.queue"), async () => {
    const [api, ...workers] = [await openQueue(), await openQueue(), await openQueue()]
    const runs = workers.map(() => createRuns())
    await api?.enqueue("0")
    await api?.enqueue("0")
    for (const [index, worker] of workers.entries()) {
      await worker.start(runs[index]?.handler ?? (() => Promise.resolve()), { concurrency: 2 })
    }
    for (const id of ["1", "2", "3", "4"]) await api?.enqueue(id)
    const begun = () => runs.flatMap((run) => run.begun)
    await expect.poll(() => begun().length, DEADLINE).toBe(4)
    for (const run of runs) expect(run.begun).toHaveLength(2)
    // Both workers have looked for jobs again, and neither takes a third one.
    await setTimeout(3 * POLL_MS)
    expect(begun()).toHaveLength(4)
    for (const run of runs) run.begun.forEach(run.end)
    await expect.poll(() => begun().length, DEADLINE).toBe(5)
    expect(begun().toSorted()).toEqual(["0", "1", "2", "3", "4"])
    for (const worker of workers) await worker.close()
    for (const worker of workers) open.splice(open.indexOf(worker), 1)
  })

  it("delivers jobs with a higher priority first", async () => {
    const [api, worker] = [await openQueue(), await openQueue()]
    await api.enqueue("usual")
    await api.enqueue("late", -1)
    await api.enqueue("urgent", 2)
    const runs = createRuns()
    await worker.start(runs.handler, { concurrency: 1 })
    for (const count of [1, 2, 3]) {
      await runs.until(count)
      runs.end(runs.begun.at(-1) ?? "")
    }
    expect(runs.begun).toEqual(["urgent", "usual", "late"])
  })
})
