import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { DATABASE_KINDS } from "@assay/database/testing"
import { JOB, rowAt, rowsOf } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"
import { FIRST_LEASE_MS, JOB_LEASE_MS } from "./job-lease.ts"
import type { Jobs } from "./jobs.ts"
import { MAX_LOSSES } from "./lost-jobs.ts"

describe.each(DATABASE_KINDS)("jobs that lose their runner on %s", (kind) => {
  let test: TestRegistry
  let here: Jobs
  let there: Jobs
  beforeAll(async () => {
    test = await createTestRegistry(kind)
    here = test.registry.jobs
    there = (await test.openAnother()).jobs
  })
  afterAll(() => test.remove())

  const statusOf = async (id: string) => (await here.get(id)).status

  it(
    "are unavailable until another runner claims them",
    verifies("eval.unavailable", "brief.evaluation.status-unavailable"),
    async () => {
      const { id } = await here.create(JOB)
      const first = await here.claim(id)
      await test.pass(FIRST_LEASE_MS - 100)
      expect(await first?.beat()).toBe("RUNNING")
      await test.pass(JOB_LEASE_MS - 100)
      expect(await there.settleLost()).toEqual([])
      expect(await there.claim(id)).toBeUndefined()
      await test.pass(200)
      expect(await there.settleLost()).toEqual([id])
      expect(await here.get(id)).toMatchObject({
        status: "UNAVAILABLE",
        status_details: { message: "Its runner has stopped reporting; another one continues the job." },
      })
      expect(await there.listRunnable(10)).toEqual([{ id, priority: 0 }])
      const [won, lost] = await Promise.all([there.claim(id), here.claim(id)])
      expect([won, lost].filter((run) => run !== undefined)).toHaveLength(1)
      expect(await statusOf(id)).toBe("RUNNING")
      expect(await first?.beat()).toBeUndefined()
      expect(await first?.end({ to: "FAILED", message: "late" })).toBeUndefined()
      expect(await statusOf(id)).toBe("RUNNING")
    },
  )

  it(
    "are unavailable soon if their runner was lost before its first report",
    verifies("eval.unavailable"),
    async () => {
      const { id } = await here.create(JOB)
      await here.claim(id)
      await test.pass(FIRST_LEASE_MS - 100)
      expect(await there.settleLost()).not.toContain(id)
      await test.pass(100)
      expect(await there.settleLost()).toContain(id)
    },
  )

  const lose = async (id: string) => {
    await test.pass(JOB_LEASE_MS)
    expect(await here.settleLost()).toContain(id)
  }

  it(
    "fail if they lose one runner after another without a new row",
    verifies("eval.unavailable", "jobs.losses-in-a-row"),
    async () => {
      const { id } = await here.create(JOB)
      for (let lost = 0; lost < MAX_LOSSES; lost++) {
        expect(await statusOf(id)).not.toBe("FAILED")
        expect(await there.claim(id)).toBeDefined()
        await lose(id)
      }
      const { status, conditions, finished_at } = await here.get(id)
      expect(status).toBe("FAILED")
      expect(finished_at).not.toBeNull()
      expect(conditions).toMatchObject([{ code: "runner_lost", count: MAX_LOSSES }])
      expect(conditions[0]?.evidence[0]).toBe("The job was started by 2 runners in total.")
      await here.restart(id, { kind: "run" })
      expect(await here.claim(id)).toBeDefined()
    },
  )

  it("continue as long as each runner journals a row before it is lost", verifies("jobs.losses-in-a-row"), async () => {
    const { id } = await here.create(JOB)
    for (let lost = 0; lost < 2 * MAX_LOSSES; lost++) {
      const run = await there.claim(id)
      const journal = await run?.openJournal()
      journal?.append(rowAt(lost))
      await journal?.flush()
      await lose(id)
      expect(await statusOf(id)).toBe("UNAVAILABLE")
    }
    for (let lost = 0; lost < 2 * MAX_LOSSES; lost++) {
      const run = await there.claim(id)
      expect(await run?.beat({ has_new_rows: true })).toBe("RUNNING")
      await lose(id)
      expect(await statusOf(id)).toBe("UNAVAILABLE")
    }
  })

  it("do not count the loss of a runner that was asked to stop", verifies("jobs.losses-in-a-row"), async () => {
    const { id } = await here.create(JOB)
    for (let lost = 0; lost < 2 * MAX_LOSSES; lost++) {
      const run = await there.claim(id)
      expect(await run?.beat({ is_stopping: true })).toBe("RUNNING")
      await lose(id)
      expect(await statusOf(id)).toBe("UNAVAILABLE")
    }
  })

  it("can be cancelled while no runner has them", async () => {
    const { id } = await here.create(JOB)
    await here.claim(id)
    await test.pass(JOB_LEASE_MS)
    await here.settleLost()
    expect(await here.cancel(id)).toMatchObject({ status: "CANCELLING" })
    expect(await here.listRunnable(10)).toContainEqual({ id, priority: 0 })
    const run = await there.claim(id)
    expect(run?.job.status).toBe("CANCELLING")
    expect(await run?.end({ to: "CANCELLED", message: "Stopped." })).toBe("CANCELLED")
  })

  it("continue at once after a release, which does not count as a loss", async () => {
    const { id } = await here.create(JOB)
    for (let round = 0; round < MAX_LOSSES + 2; round++) await (await here.claim(id))?.release()
    expect(await here.settleLost()).not.toContain(id)
    expect(await here.listRunnable(10)).toContainEqual({ id, priority: 0 })
    expect(await statusOf(id)).toBe("RUNNING")
    expect(await there.claim(id)).toBeDefined()
  })

  it("have a journal that only the holder of the lease can write", verifies("run.resume"), async () => {
    const { id } = await here.create(JOB)
    const first = await here.claim(id)
    const early = await first?.openJournal()
    for (let index = 0; index < 3; index++) early?.append(rowAt(index))
    await early?.flush()
    await test.pass(JOB_LEASE_MS)
    await there.settleLost()
    const second = await there.claim(id)
    early?.append(rowAt(99))
    await expect(early?.flush()).rejects.toMatchObject({ code: "runner_lost" })
    const late = await second?.openJournal()
    late?.append(rowAt(3))
    await late?.close()
    const rows = late === undefined ? [] : await rowsOf(late)
    expect(rows).toEqual([0, 1, 2, 3].map(rowAt))
    const bytes = Buffer.concat(await Array.fromAsync(late?.bytes() ?? []))
    expect(bytes.toString().trim().split("\n")).toHaveLength(4)
  })

  it.runIf(kind === "sqlite")(
    "are found at once when their server starts after it was killed",
    verifies("run.resume"),
    async () => {
      const { id } = await here.create(JOB)
      await here.claim(id)
      const restarted = await test.openAnother()
      expect(await restarted.jobs.settleLost()).toContain(id)
      expect(await restarted.jobs.claim(id)).toBeDefined()
    },
  )
})
