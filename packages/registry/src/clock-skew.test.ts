import { afterAll, beforeAll, expect, it } from "vitest"
import { JOB_LEASE_MS } from "./jobs/job-run.ts"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"

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
  "jobs keep a live runner when another server's clock is %i ms off [leases.database-clock]",
  async (skew) => {
    const here = test.registry.jobs
    const there = (await openSkewed(skew)).jobs
    const { id } = await here.create(JOB)
    const run = await here.claim(id)
    expect(await there.settleLost()).toEqual([])
    await test.pass(JOB_LEASE_MS - 1000)
    expect(await run?.beat()).toBe("RUNNING")
    await test.pass(JOB_LEASE_MS - 1000)
    expect(await there.settleLost()).toEqual([])
    // And the lease of a killed server lasts no longer.
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
  "models are analysed once when another server's clock is %i ms off [leases.database-clock]",
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

it("a clock that is more than 2 s off is told in the log and on request [leases.clock-skew-warning]", async () => {
  expect(await test.registry.checkClock()).toBeUndefined()
  const warnings: string[] = []
  const ahead = await openSkewed(20_000, warnings)
  expect(await ahead.checkClock()).toMatch(
    /^The clock of this machine is (19\.\d|20\.\d) s ahead of the clock of the database/,
  )
  await expect.poll(() => warnings).toEqual([expect.stringContaining("s ahead of the clock")])
  expect(await (await openSkewed(-600_000)).checkClock()).toContain("s behind the clock of the database")
})

it("a difference that a slow answer of the database explains is no skew [leases.clock-skew-warning]", async () => {
  // Asked at once, and answered 9 s later: the moment that was read can be any between them.
  let asked: number | undefined
  const now = () => test.clock.time + (asked === undefined || asked++ === 0 ? 0 : 9000)
  const slow = await test.openAnother({ now })
  // The look at the start is over then.
  expect(await slow.checkClock()).toBeUndefined()
  asked = 0
  expect(await slow.checkClock()).toBeUndefined()
  expect(asked).toBe(2)
})
