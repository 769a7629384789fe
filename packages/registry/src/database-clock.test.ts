import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { FIRST_LEASE_MS, JOB_LEASE_MS } from "@assay/job-store"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"
import { checkClock } from "@assay/database"

const SKEWS = [20_000, -20_000, 600_000, -600_000]

let test: TestRegistry
beforeAll(async () => {
  test = await createTestRegistry("postgres")
})
afterAll(() => test.remove())

const openSkewed = (skew: number, warnings: string[] = []) =>
  test.openAnother({
    now: () => test.clock.time + skew,
    log: { warn: (_, message) => void warnings.push(message) },
  })

it.each(SKEWS)(
  "jobs keep a live runner when another server's clock is %i ms off",
  verifies("leases.database-clock"),
  async (skew) => {
    const here = test.registry.jobs
    const there = (await openSkewed(skew)).jobs
    const { id } = await here.create(JOB)
    const run = await here.claim(id)
    expect(await there.settleLost()).toEqual([])
    await test.pass(FIRST_LEASE_MS - 1000)
    expect(await there.settleLost()).toEqual([])
    expect(await run?.beat()).toBe("RUNNING")
    await test.pass(JOB_LEASE_MS - 1000)
    expect(await there.settleLost()).toEqual([])
    // The lease of a killed server does not last longer.
    await test.pass(1000)
    expect(await there.settleLost()).toEqual([id])
    const taken = await there.claim(id)
    expect(await here.settleLost()).toEqual([])
    await test.pass(JOB_LEASE_MS)
    expect(await here.settleLost()).toEqual([id])
    expect(await taken?.beat()).toBeUndefined()
  },
)

it.each(SKEWS)(
  "a runner whose own clock is %i ms off keeps its job for one lease after each report",
  verifies("leases.database-clock"),
  async (skew) => {
    const here = test.registry.jobs
    const { id } = await here.create(JOB)
    const run = await (await openSkewed(skew)).jobs.claim(id)
    await test.pass(FIRST_LEASE_MS - 1000)
    expect(await run?.beat()).toBe("RUNNING")
    expect(await here.settleLost()).toEqual([])
    await test.pass(JOB_LEASE_MS - 1000)
    expect(await here.settleLost()).toEqual([])
    await test.pass(1000)
    expect(await here.settleLost()).toEqual([id])
  },
)

it.each(SKEWS)(
  "models are analysed once when another server's clock is %i ms off",
  verifies("leases.database-clock"),
  async (skew) => {
    const there = await openSkewed(skew)
    await test.registry.filesets.create("default", { name: `f${skew}` })
    const run = await test.registry.models.create("default", { name: `m${skew}`, fileset: `f${skew}` })
    expect(run.model.analysis.status).toBe("running")
    expect((await there.models.get("default", `m${skew}`)).analysis.status).toBe("running")
    expect(await there.models.startAnalysis("default", `m${skew}`)).toBeUndefined()
    await run.drop()
    const again = await there.models.startAnalysis("default", `m${skew}`)
    expect(again?.model.analysis.status).toBe("running")
    expect((await test.registry.models.get("default", `m${skew}`)).analysis.status).toBe("running")
    await again?.drop()
  },
)

it(
  "a clock that is more than 2 s off is reported in the log and on request",
  verifies("leases.clock-skew-warning"),
  async () => {
    expect(await test.registry.checkClock()).toBeUndefined()
    const warnings: string[] = []
    const ahead = await openSkewed(20_000, warnings)
    expect(await ahead.checkClock()).toMatch(
      /^The clock of this machine is (19\.\d|20\.\d) s ahead of the clock of the database/,
    )
    await expect.poll(() => warnings).toEqual([expect.stringContaining("s ahead of the clock")])
    expect(await (await openSkewed(-600_000)).checkClock()).toContain("s behind the clock of the database")
  },
)

it(
  "a difference that a slow response of the database explains does not count as a skew",
  verifies("leases.clock-skew-warning"),
  async () => {
    const database = await test.openTables()
    const skewOf = (...times: readonly number[]) => {
      const left = [...times]
      return checkClock({ database, now: () => test.clock.time + (left.shift() ?? 0) })
    }
    // The response takes 9 s: the time in it can be any moment in between.
    expect(await skewOf(0, 9000)).toBeUndefined()
    expect(await skewOf(9000, 9000)).toContain("s ahead of the clock of the database")
  },
)
