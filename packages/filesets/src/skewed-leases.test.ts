import { mkdir, readdir, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Database } from "@assay/database"
import { leaseWarmup, recordWarmup, saveWarmup, WARMUP_LEASE_MS } from "./cache/warmup-rows.ts"
import { leaseRemoved, LEASE_MS, renewLease } from "./filesets/removal/lease-removed.ts"
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
const there = at

it.each(SKEWS)(
  "a warm-up has one holder for one lease when a server's clock is %i ms off",
  verifies("leases.database-clock"),
  async (skew) => {
    const { id } = await test.registry.filesets.create("default", { name: `warm${skew}` })
    await tables.write((queries) => recordWarmup(queries, id, 0))
    const state = {
      status: "warming",
      files: null,
      cached_files: 0,
      bytes: null,
      cached_bytes: 0,
      error: null,
    } as const
    const leased = await leaseWarmup(there(skew))
    if (leased === undefined) throw new Error("No server holds the warm-up.")
    await test.pass(WARMUP_LEASE_MS - MARGIN)
    expect(await leaseWarmup(here())).toBeUndefined()
    expect(await leaseWarmup(there(skew))).toBeUndefined()
    const saved = await saveWarmup(there(skew), leased, state)
    await test.pass(WARMUP_LEASE_MS - MARGIN)
    expect(await leaseWarmup(here())).toBeUndefined()
    await test.pass(MARGIN)
    expect(await leaseWarmup(there(skew))).toMatchObject({ fileset: { id } })
    if (saved !== undefined) expect(await saveWarmup(here(), saved, state)).toBeUndefined()
    await test.registry.filesets.remove("default", `warm${skew}`)
  },
)

it.each(SKEWS)(
  "a removed fileset has one holder for one lease when a server's clock is %i ms off",
  verifies("leases.database-clock"),
  async (skew) => {
    const name = `removed${skew}`
    const row = { id: `fileset-${name}`, workspace: "default", name, storage_type: "local", storage: "{}" } as const
    await tables.write((queries) =>
      queries
        .insertInto("removed_filesets")
        .values({ ...row, leased_until: 0 })
        .execute(),
    )
    const leased = await leaseRemoved(there(skew), { name })
    if (leased === undefined) throw new Error("No server holds the removed fileset.")
    await test.pass(LEASE_MS - MARGIN)
    expect(await leaseRemoved(here(), { name })).toBeUndefined()
    expect(await leaseRemoved(there(skew), { name })).toBeUndefined()
    const renewed = await renewLease(there(skew), leased)
    await test.pass(LEASE_MS - MARGIN)
    expect(await leaseRemoved(here(), { name })).toBeUndefined()
    await test.pass(MARGIN)
    expect(await leaseRemoved(there(skew), { name })).toMatchObject({ id: row.id })
    if (renewed !== undefined) expect(await renewLease(here(), renewed)).toBeUndefined()
    await tables.write((queries) => queries.deleteFrom("removed_filesets").where("id", "=", row.id).execute())
  },
)

it.each([2 * HOUR, -2 * HOUR])(
  "a young file of the cache is kept and an old one is removed when the starting server's clock is %i ms off",
  verifies("leases.database-clock"),
  async (skew) => {
    const folder = join(test.folder, "storage/cache/00")
    await mkdir(folder, { recursive: true })
    const ages = { a: 1.5 * HOUR, b: 0.5 * HOUR, c: 1.5 * HOUR }
    for (const [name, age] of Object.entries(ages)) {
      const file = join(folder, `00${name.repeat(62)}`)
      await writeFile(file, "what a crash has left")
      const seconds = (test.clock.time - age) / 1000
      await utimes(file, seconds, seconds)
    }
    await test.openAnother({
      now: () => test.clock.time + skew,
      readCache: { maxBytes: 1_000_000, spoolFolder: "" },
    })
    await expect.poll(() => readdir(folder)).toEqual([`00${"b".repeat(62)}`])
  },
)
