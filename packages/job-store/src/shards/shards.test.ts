import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { JOB, rowAt, rowsOf } from "../testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { JOB_LEASE_MS } from "../job-lease.ts"
import type { JobRun } from "../job-run.ts"
import type { TableJournal } from "../journal/table-journal.ts"
import {
  NO_FINDINGS,
  type OpenedShards,
  type ShardCounts,
  type ShardNews,
  type ShardWorker,
  type TakenShard,
} from "./sharded-jobs.ts"

const NO_NEWS: ShardNews = { counts: new Map(), findings: NO_FINDINGS, events: [], inFlight: 0 }
const RANGES = [0, 1, 2].map((shard) => ({ task: "t", firstRow: 10 * shard, endRow: 10 * shard + 10 }))

function countsOf(processed: number, failed = 0): ShardCounts {
  return { processed, failed, promptTokens: 2 * processed, completionTokens: processed }
}

async function append(shard: TakenShard, rows: readonly number[]): Promise<TableJournal> {
  const journal = await shard.openJournal()
  for (const row of rows) journal.append(rowAt(row))
  await journal.flush()
  return journal
}

async function finish(shard: TakenShard, rows: readonly number[], facts?: string): Promise<void> {
  const journal = await append(shard, rows)
  await journal.close()
  await shard.finish(countsOf(rows.length), { facts })
}

/** Reads the facts of each batch of a journal, and the number of its rows. */
async function batchesOf(journal: Pick<TableJournal, "batches">) {
  return Array.fromAsync(journal.batches(), async ({ facts, lines }) => ({
    facts,
    rows: await numbers({ bytes: lines }),
  }))
}

const numbers = async (journal: Pick<TableJournal, "bytes">) =>
  (await rowsOf(journal)).map(({ row_index }) => row_index)

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("There is none.")
  return value
}

describe.each(DATABASE_KINDS)("a job in shards on %s", (kind) => {
  let test: TestRegistry
  let run: JobRun
  let opened: OpenedShards
  beforeEach(async () => {
    test = await createTestRegistry(kind)
    run = await start()
  })
  afterEach(() => test.remove())

  const jobs = () => test.registry.jobs
  async function start(body = JOB): Promise<JobRun> {
    const { id } = await jobs().create(body)
    const claimed = given(await jobs().claim(id))
    expect(await claimed.shards.isCut()).toBe(false)
    await claimed.shards.cut(RANGES, { parallelism: 8, maxWorkers: 3 })
    opened = await claimed.shards.open()
    return claimed
  }
  const joinJob = async (): Promise<ShardWorker> => given(await jobs().joinShards(run.job.id, opened.opening))
  const take = async (worker: ShardWorker, shard: number) => given(await worker.take(shard))

  it("gives a shard to the worker that takes it last", verifies("shards.leases"), async () => {
    expect(opened).toEqual({ opening: 1, shards: [0, 1, 2], peers: 1 })
    const [a, b] = [await joinJob(), await joinJob()]
    const first = await take(a, 1)
    expect(first).toMatchObject({ shard: 1, task: "t", firstRow: 10, endRow: 20 })
    const journal = await append(first, [11])
    const again = await take(b, 1)
    journal.append(rowAt(12))
    await expect(journal.flush()).rejects.toMatchObject({ code: "runner_lost" })
    await finish(again, [13])
    expect(await a.take(1)).toBeUndefined()
    await a.leave(NO_NEWS)
    await expect(a.take(0)).rejects.toMatchObject({ code: "runner_lost" })
    expect(await numbers(await run.openJournal())).toEqual([11, 13])
  })

  it("never lets the shares of its workers exceed its parallelism", verifies("shards.parallelism"), async () => {
    const a = await joinJob()
    const b = await joinJob()
    expect([a.share, b.share]).toEqual([8, 0])
    expect(await b.beat(NO_NEWS)).toEqual({ status: "RUNNING", isOpen: true, share: 0, isFair: false })
    expect((await a.beat(NO_NEWS))?.share).toBe(4)
    expect((await b.beat(NO_NEWS))?.share).toBe(4)
    const c = await joinJob()
    const shares = [(await a.beat(NO_NEWS))?.share, (await b.beat(NO_NEWS))?.share, (await c.beat(NO_NEWS))?.share]
    expect(shares.toSorted((a = 0, b = 0) => a - b)).toEqual([2, 3, 3])
    await c.leave(NO_NEWS)
    expect([(await a.beat(NO_NEWS))?.share, (await b.beat(NO_NEWS))?.share]).toEqual([4, 4])
  })

  it(
    "gives a share to other workers only when the requests above it have ended",
    verifies("shards.parallelism"),
    async () => {
      const [a, b] = [await joinJob(), await joinJob()]
      const shareOf = async (worker: ShardWorker, inFlight: number) =>
        (await worker.beat({ ...NO_NEWS, inFlight }))?.share
      expect([await shareOf(a, 8), await shareOf(b, 0)]).toEqual([4, 0])
      expect([await shareOf(a, 6), await shareOf(b, 0)]).toEqual([4, 2])
      expect([await shareOf(a, 4), await shareOf(b, 2)]).toEqual([4, 4])
    },
  )

  it(
    "keeps the rows of a lost worker for the next one, and refuses its late rows",
    verifies("shards.lost-worker"),
    async () => {
      const lost = await joinJob()
      const first = await take(lost, 0)
      const late = await append(first, [3, 1])
      await test.pass(JOB_LEASE_MS + 1)
      const runner = given((await jobs().settleLost(), await jobs().claim(run.job.id)))
      expect((await runner.shards.look()).workers).toBe(0)
      const next = await joinJob()
      const again = await take(next, 0)
      const journal = await again.openJournal()
      expect(await numbers(journal)).toEqual([3, 1])
      late.append(rowAt(5))
      await expect(late.flush()).rejects.toMatchObject({ code: "runner_lost" })
      await expect(first.finish(countsOf(3))).rejects.toMatchObject({ code: "runner_lost" })
      expect(await lost.beat(NO_NEWS)).toBeUndefined()
      journal.append(rowAt(2))
      await journal.close()
      await again.finish(countsOf(3))
      expect(await numbers(await runner.openJournal())).toEqual([3, 1, 2])
    },
  )

  it("has one journal over the files of finished shards and the rows of others", async () => {
    const [a, b] = [await joinJob(), await joinJob()]
    const [first, second, third] = [await take(a, 0), await take(b, 1), await take(a, 2)]
    await finish(third, [21, 20])
    await append(second, [15, 12])
    await finish(first, [1, 0])
    const journal = await run.openJournal()
    expect(await numbers(journal)).toEqual([1, 0, 15, 12, 21, 20])
    const stored = jobs().openJournal(run.job.id)
    const records = await Array.fromAsync(stored.records(0))
    expect(records.map(({ seq }) => seq)).toEqual([1, 2])
    const [text = ""] = records.map(({ lines }) => lines)
    const start = Buffer.from(text).indexOf("\n") + 1
    const length = Buffer.byteLength(text) - start
    expect(await stored.parts([{ seq: 1, start, length }])).toEqual([`${JSON.stringify(rowAt(20))}\n`])
    expect(await stored.parts([{ seq: 9, start: 0, length: 5 }])).toEqual([""])
    expect(Buffer.concat(await Array.fromAsync(journal.bytes())).toString()).toContain(text)
  })

  it(
    "gives back what a worker has noted about its rows, but not beside rows of another one",
    verifies("shards.facts"),
    async () => {
      const [a, b] = [await joinJob(), await joinJob()]
      const [first, second, third] = [await take(a, 0), await take(b, 1), await take(a, 2)]
      await append(second, [15])
      await b.leave(NO_NEWS)
      await finish(third, [21, 20], "of the third")
      await finish(first, [1, 0], "of the first")
      await finish(await take(await joinJob(), 1), [12], "of one of two rows")
      expect(await batchesOf(await run.openJournal())).toEqual([
        { facts: "of the first", rows: [1, 0] },
        { facts: undefined, rows: [15, 12] },
        { facts: "of the third", rows: [21, 20] },
      ])
    },
  )

  it("has one batch for shards without facts that follow each other", async () => {
    const a = await joinJob()
    const shards = [await take(a, 0), await take(a, 1), await take(a, 2)]
    for (const [at, shard] of shards.entries()) await finish(shard, [10 * at], at === 0 ? "of the first" : undefined)
    expect(await batchesOf(await run.openJournal())).toEqual([
      { facts: "of the first", rows: [0] },
      { facts: undefined, rows: [10, 20] },
    ])
  })

  it("sums what its shards and workers have found", async () => {
    const a = await joinJob()
    const [first, second] = [await take(a, 0), await take(a, 1)]
    await finish(first, [0, 1, 2])
    const findings = { means: { "t.m.s": 1 }, rows: 5, conditions: [] }
    const stop = { code: "quota_exhausted", message: "No more." }
    await a.beat({ ...NO_NEWS, counts: new Map([[second.shard, countsOf(2, 1)]]), findings, stop })
    expect(await run.shards.look()).toEqual({
      tasks: [{ task: "t", ...countsOf(5, 1), isDone: false, hasBegun: true }],
      findings: [findings],
      workers: 1,
      stop,
      status: "RUNNING",
    })
  })

  it(
    "lets a retry take the shards with failed rows alone, and keeps what they answered",
    verifies("shards.retry"),
    async () => {
      const a = await joinJob()
      const shards = [await take(a, 0), await take(a, 1), await take(a, 2)]
      for (const [at, shard] of shards.entries()) {
        const journal = await append(shard, [10 * at])
        await journal.close()
        await shard.finish(countsOf(1, at === 1 ? 1 : 0))
      }
      expect((await run.shards.look()).tasks[0]).toMatchObject({ isDone: true, failed: 1 })
      await a.leave(NO_NEWS)
      expect(await run.shards.close()).toMatchObject({ opening: 1, shards: [] })
      expect((await run.shards.look()).findings).toHaveLength(1)
      await run.shards.forgetWorkers()
      expect((await run.shards.look()).findings).toEqual([])
      await run.end({ to: "COMPLETED", message: "Done." })
      await jobs().restart(run.job.id, { kind: "retry-failed" })
      run = given(await jobs().claim(run.job.id))
      expect(await jobs().joinShards(run.job.id, 1)).toBeUndefined()
      opened = await run.shards.open()
      expect(opened).toMatchObject({ opening: 2, shards: [1] })
      expect(await jobs().joinShards(run.job.id, 1)).toBeUndefined()
      const b = await joinJob()
      const again = await take(b, 1)
      expect(await b.take(0)).toBeUndefined()
      expect(await numbers(await again.openJournal())).toEqual([10])
      await finish(again, [11])
      expect(await numbers(await run.openJournal())).toEqual([0, 10, 11, 20])
    },
  )

  it(
    "fails if a shard is lost without a new row, unless it is done or the opening is over",
    verifies("shards.progress"),
    async () => {
      const stop = async () => (await run.shards.look()).stop
      const worker = await joinJob()
      await finish(await take(worker, 0), [0])
      const settle = (opening: number, shard: number, records?: number) =>
        jobs().settleLostShard(run.job.id, { opening, shard, records })
      expect([await settle(1, 0), await settle(2, 1)]).toEqual([undefined, undefined])
      const journal = await append(await take(worker, 1), [10])
      await journal.close()
      expect(await settle(1, 1)).toEqual({ workspace: "default", records: 1 })
      expect(await stop()).toBeUndefined()
      expect(await settle(1, 1, 1)).toBeUndefined()
      const message = 'One worker after another stopped while it ran rows 10 to 19 of task "t".'
      expect(await stop()).toEqual({ code: "runner_lost", message })
      expect(await jobs().joinShards(run.job.id, 1)).toBeUndefined()
    },
  )

  it(
    "loses one runner after another while its workers make progress, and fails without progress only",
    verifies("jobs.losses-in-a-row"),
    async () => {
      const loseRunner = async () => {
        await test.pass(JOB_LEASE_MS)
        await jobs().settleLost()
        return (await jobs().get(run.job.id)).status
      }
      for (let lost = 1; lost <= 4; lost++) {
        const worker = await joinJob()
        const { shard } = await take(worker, 0)
        await worker.beat({ ...NO_NEWS, counts: new Map([[shard, countsOf(lost)]]) })
        expect(await loseRunner()).toBe("UNAVAILABLE")
        run = given(await jobs().claim(run.job.id))
        await run.shards.open()
      }
      expect(await loseRunner()).toBe("FAILED")
    },
  )

  it("counts the open jobs of its workspace that are as urgent", async () => {
    await test.registry.workspaces.create({ name: "other" })
    const urgent = { ...JOB, config: { ...JOB.config, params: { priority: 5 } } }
    const peersOf = async (body: typeof JOB) => {
      await start(body)
      return opened.peers
    }
    expect([await peersOf({ ...JOB, namespace: "other" }), await peersOf(urgent), await peersOf(JOB)]).toEqual([
      1, 1, 3,
    ])
  })

  it("removes the files of its journal with its record", async () => {
    await finish(await take(await joinJob(), 0), [0])
    const folder = join(test.folder, "storage", "jobs", run.job.id)
    expect(await readdir(folder)).toEqual(["0"])
    await expect(jobs().remove(run.job.id)).rejects.toMatchObject({ code: "job_not_final" })
    await run.end({ to: "COMPLETED", message: "Done." })
    await jobs().remove(run.job.id)
    await expect(readdir(folder)).rejects.toMatchObject({ code: "ENOENT" })
  })

  it("removes the files of its journal with its workspace", async () => {
    await test.registry.workspaces.create({ name: "other" })
    run = await start({ ...JOB, namespace: "other" })
    await finish(await take(await joinJob(), 0), [0])
    expect(await readdir(join(test.folder, "storage", "jobs"))).toEqual([run.job.id])
    const late = await append(await take(await joinJob(), 1), [10])
    await test.registry.workspaces.remove("other")
    await expect(readdir(join(test.folder, "storage", "jobs"))).rejects.toMatchObject({ code: "ENOENT" })
    late.append(rowAt(11))
    await expect(late.flush()).rejects.toMatchObject({ code: "runner_lost" })
  })
})
