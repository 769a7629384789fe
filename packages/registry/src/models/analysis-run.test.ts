import { afterEach, beforeEach, expect, it } from "vitest"
import { createBackground, type Background, type Database } from "@assay/database"
import { createTestRegistry, type TestRegistry } from "../testing/test-registry.ts"
import { ANALYSIS_LEASE_MS, createAnalysisRun, type AnalysisLease, type AnalysisRun } from "./analysis-run.ts"
import { modelOf } from "./create-models.ts"

let test: TestRegistry
let tables: Database
let background: Background
let run: AnalysisRun
beforeEach(async () => {
  test = await createTestRegistry("sqlite")
  test.clock.still = true
  tables = await test.openTables()
  background = createBackground({ warn: (_, message) => void test.warnings.push(message) })
  await test.registry.filesets.create("default", { name: "f" })
  await test.registry.models.create("default", { name: "m", fileset: "f" })
  const row = await tables.read((queries) => queries.selectFrom("models").selectAll().executeTakeFirstOrThrow())
  const lease: AnalysisLease = { modelId: row.id, leasedUntil: row.leased_until }
  const context = { database: tables, now: () => test.clock.time, background }
  run = createAnalysisRun(context, modelOf(row, test.clock.time), lease, 5)
})
afterEach(async () => {
  await background.end()
  await test.remove()
})

const leasedUntil = async () => {
  const row = await tables.read((queries) => queries.selectFrom("models").selectAll().executeTakeFirstOrThrow())
  return row.leased_until
}
const status = async () => (await test.registry.models.get("default", "m")).analysis.status

it("an analysis renews its lease while it runs", async () => {
  for (let turn = 0; turn < 3; turn++) {
    test.clock.time += ANALYSIS_LEASE_MS - 1
    expect(await status()).toBe("running")
    await expect.poll(leasedUntil).toBe(test.clock.time + ANALYSIS_LEASE_MS)
  }
  await run.drop()
  expect(await status()).toBe("failed")
  test.clock.time += 1
  // After its end, nothing renews the lease.
  await background.end()
  expect([await status(), await leasedUntil()]).toEqual(["failed", test.clock.time - 1])
})

it("an analysis is aborted when its model is removed", async () => {
  await test.registry.models.remove("default", "m")
  await expect.poll(() => run.signal.aborted).toBe(true)
  expect(run.signal.reason).toMatchObject({ message: "Model 'default/m' was removed" })
  await run.drop()
})

it("an analysis is aborted when the registry is closed", async () => {
  expect(run.signal.aborted).toBe(false)
  await background.end()
  expect(run.signal.aborted).toBe(true)
  expect(test.warnings).toEqual([])
})
