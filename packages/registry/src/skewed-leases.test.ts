import { verifies, bytesOf } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { afterAll, beforeAll, expect, it } from "vitest"
import { readDatabaseTime, type Database } from "@assay/database"
import { ANALYSIS_LEASE_MS, dropAnalysis, renewAnalysis } from "./models/analysis-run.ts"
import { JOB } from "./testing/job-bodies.ts"
import { createTestRegistry, type TestRegistry } from "./testing/test-registry.ts"

const SKEWS = [600_000, -600_000]
/** Milliseconds. More than the database's clock advances by a read, and much less than a skew. */
const MARGIN = 1000
const HOUR = 3_600_000

let test: TestRegistry
let tables: Database
beforeAll(async () => {
  test = await createTestRegistry("postgres")
  tables = await test.openTables()
})
afterAll(() => test.remove())

const at = (skew: number) => ({
  database: tables,
  now: () => test.clock.time + skew,
  steadyNow: () => test.clock.time + skew,
})
const here = () => at(0)
/** Opens a registry whose clock differs from the database's clock. */
const there = at
const openSkewed = (skew: number) => test.openAnother({ now: () => test.clock.time + skew })

it.each(SKEWS)(
  "an analysis runs for one lease after each renewal when a server's clock is %i ms off",
  verifies("leases.database-clock"),
  async (skew) => {
    const [name, fileset] = [`m${skew}`, `f${skew}`]
    const other = await openSkewed(skew)
    await test.registry.filesets.create("default", { name: fileset })
    const status = async (from = test.registry) => (await from.models.get("default", name)).analysis.status
    await other.models.create("default", { name, fileset })
    const lease = async () => {
      const { id, leased_until } = await tables.read((queries) =>
        queries.selectFrom("models").selectAll().where("name", "=", name).executeTakeFirstOrThrow(),
      )
      return { modelId: id, leasedUntil: leased_until }
    }
    await test.pass(ANALYSIS_LEASE_MS - MARGIN)
    expect([await status(), await status(other)]).toEqual(["running", "running"])
    await renewAnalysis(there(skew), await lease())
    await test.pass(ANALYSIS_LEASE_MS - MARGIN)
    expect([await status(), await status(other)]).toEqual(["running", "running"])
    await test.pass(MARGIN)
    expect([await status(), await status(other)]).toEqual(["failed", "failed"])
    expect(await other.models.startAnalysis("default", name)).toBeDefined()
    await test.pass(ANALYSIS_LEASE_MS - MARGIN)
    expect(await status()).toBe("running")
    await dropAnalysis(there(skew), await lease())
    expect([await status(), await status(other)]).toEqual(["failed", "failed"])
    // The record has the time of the drop, by the shared clock.
    const { analyzed_at } = (await test.registry.models.get("default", name)).analysis
    const time = await tables.read((queries) => readDatabaseTime(queries, here()))
    expect(Math.abs(Date.parse(analyzed_at ?? "") - time)).toBeLessThan(MARGIN)
    expect(await test.registry.models.startAnalysis("default", name)).toBeDefined()
  },
)

it.each(SKEWS)(
  "an analysis begins with one whole lease when a server's clock is %i ms off",
  verifies("leases.database-clock"),
  async (skew) => {
    const [name, fileset] = [`begun${skew}`, `of${skew}`]
    await test.registry.filesets.create("default", { name: fileset })
    const other = await openSkewed(skew)
    await other.models.create("default", { name, fileset })
    const status = async () => (await test.registry.models.get("default", name)).analysis.status
    await test.pass(ANALYSIS_LEASE_MS - MARGIN)
    expect(await status()).toBe("running")
    await test.pass(MARGIN)
    expect(await status()).toBe("failed")
    expect((await other.models.list("default", { sort: "-name", page: 1, page_size: 100 }, "all")).data).toContainEqual(
      expect.objectContaining({ name, analysis: expect.objectContaining({ status: "failed" }) }),
    )
  },
)

it.each(SKEWS)(
  "staged and replaced results are deleted in time when a server's clock is %i ms off",
  verifies("leases.database-clock"),
  async (skew) => {
    const other = await openSkewed(skew)
    const { id } = await test.registry.jobs.create(JOB)
    const name = `evaluation-${id}`
    const fileset = { workspace: "default", name, description: "", custom_fields: {} }
    const due = async (folder: string) => {
      const time = await tables.read((queries) => readDatabaseTime(queries, here()))
      const { id: filesetId } = await test.registry.filesets.get("default", name)
      const row = await tables.read((queries) =>
        queries
          .selectFrom("removed_filesets")
          .select("leased_until")
          .where("id", "=", `${filesetId}/${folder}`)
          .executeTakeFirst(),
      )
      return row === undefined ? undefined : Math.round((row.leased_until - time) / MARGIN) * MARGIN + 0
    }
    /** Milliseconds until each folder may be deleted. Undefined for a folder that is to be kept. */
    const dues = async (...folders: string[]) => Promise.all(folders.map(due))
    const stage = async () => {
      const run = await other.jobs.claim(id)
      const results = await run?.stageResults(fileset)
      if (run === undefined || results === undefined) throw new Error("The job is another runner's.")
      await results.write(parseFilePath("a.json"), bytesOf("{}"))
      return { run, results }
    }
    const first = await stage()
    expect(await dues("attempt-1")).toEqual([24 * HOUR])
    await first.run.end({ to: "FAILED", message: "", results: first.results })
    await test.registry.jobs.restart(id, { kind: "run" })
    const second = await stage()
    await second.run.end({ to: "FAILED", message: "", results: second.results })
    expect(await dues("attempt-1", "attempt-2")).toEqual([600_000, undefined])
    await test.registry.jobs.restart(id, { kind: "run" })
    await stage()
    // The replaced folder is kept for its readers when the next runner begins.
    expect(await dues("attempt-1", "attempt-2", "attempt-3")).toEqual([600_000, undefined, 24 * HOUR])
    await test.pass(300_000)
    await test.registry.jobs.settleLost()
    await stage()
    // The files of the lost runner are deleted at once.
    expect(await dues("attempt-1", "attempt-2", "attempt-3", "attempt-4")).toEqual([300_000, undefined, 0, 24 * HOUR])
  },
)
