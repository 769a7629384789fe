import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { JOB } from "../testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { NO_FINDINGS } from "./sharded-jobs.ts"

const NO_NEWS = { counts: new Map(), findings: NO_FINDINGS, events: [], inFlight: 0 }

describe.each(DATABASE_KINDS)("the runner of a job in shards on %s", (kind) => {
  let test: TestRegistry
  beforeEach(async () => {
    test = await createTestRegistry(kind)
  })
  afterEach(() => test.remove())

  async function start() {
    const { id } = await test.registry.jobs.create(JOB)
    const run = await test.registry.jobs.claim(id)
    if (run === undefined) throw new Error("The job has a runner.")
    const ranges = [0, 1].map((shard) => ({ task: "t", firstRow: shard, endRow: shard + 1 }))
    await run.shards.cut(ranges, { parallelism: 8, maxWorkers: 3 })
    await run.shards.open()
    return run
  }

  /** Waits until notices arrive. Exits before that are seen by looks alone. */
  async function untilHearing(): Promise<void> {
    const { sharedDatabase } = test.registry
    if (sharedDatabase === undefined) return
    const hears = Promise.withResolvers<void>()
    const stop = sharedDatabase.listen({ onNotice: () => {}, onHearing: (isHearing) => isHearing && hears.resolve() })
    await hears.promise
    await stop()
  }

  it("hears of each worker of any server that leaves its job, when the exit is on record", async () => {
    const [run, other] = [await start(), await start()]
    // Only PostgreSQL has several servers.
    const { jobs } = kind === "postgres" ? await test.openAnother() : test.registry
    const workers = [await jobs.joinShards(run.job.id, 1), await jobs.joinShards(run.job.id, 1)]
    const [ofOther] = [await jobs.joinShards(other.job.id, 1)]
    const looks: Promise<number>[] = []
    const stop = run.shards.onWorkerExit(() => looks.push(run.shards.look().then((state) => state.workers)))
    await untilHearing()
    await ofOther?.leave(NO_NEWS)
    expect(looks).toEqual([])
    await workers[0]?.leave(NO_NEWS)
    await expect.poll(() => looks.length).toBe(1)
    expect(await Promise.all(looks)).toEqual([1])
    await stop()
    await workers[1]?.leave(NO_NEWS)
    expect(looks).toHaveLength(1)
  })
})
