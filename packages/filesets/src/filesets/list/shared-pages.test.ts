import { afterAll, beforeAll, expect, it } from "vitest"
import type { Database } from "@assay/database"
import type { FilesetQuery } from "../filesets.ts"
import { createTestRegistry, type TestRegistry } from "../../testing/test-registry.ts"
import { createListCounters } from "./list-counts.ts"
import { createListFilesets } from "./list-filesets.ts"
import { scopeOf } from "./page-plan.ts"

const NEWEST: FilesetQuery = { page: 1, page_size: 10, sort: "-created_at" }

let test: TestRegistry
beforeAll(async () => {
  test = await createTestRegistry("sqlite")
})
afterAll(() => test.remove())

/** Returns a database that counts the reads of pages, and returns each only after `open`. */
function gated(database: Database, open: Promise<void>): { readonly database: Database; readonly reads: () => number } {
  let reads = 0
  const prepareTogether: Database["prepareTogether"] = (build) => {
    const query = database.prepareTogether(build)
    return {
      async run(values) {
        reads += 1
        const found = await query.run(values)
        await open
        return found
      },
    }
  }
  return { database: { ...database, prepareTogether }, reads: () => reads }
}

it("Equal listings share one read, except a listing that began after a change that the read does not contain", async () => {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>()
  const { database, reads } = gated(await test.openTables(), opened)
  const listFilesets = createListFilesets({ database, defaultStorage: { type: "local", path: test.folder } })
  const list = async () => (await listFilesets(scopeOf("default", "all"), NEWEST)).data.map(({ name }) => name)
  const before = [list(), list(), list()]
  await expect.poll(reads).toBe(1)
  await test.registry.filesets.create("default", { name: "new" })
  const after = [list(), list()]
  // Their first reads are in the same group, so both wait for the page now.
  await createListCounters(database).counts("default")
  open()
  expect(await Promise.all(before)).toEqual([[], [], []])
  expect(await Promise.all(after)).toEqual([["new"], ["new"]])
  expect(reads()).toBe(2)
})
