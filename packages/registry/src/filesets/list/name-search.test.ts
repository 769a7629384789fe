import type { Filter } from "@assay/schemas"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { SQLITE_DIALECT } from "../../database/sqlite/dialect.ts"
import type { Registry } from "../../registry.ts"
import { createTestRegistry, type TestRegistry } from "../../testing/test-registry.ts"
import { createListCounters } from "./list-counts.ts"
import { createNameSearch } from "./name-search.ts"
import { planPage, scopeOf } from "./page-plan.ts"

let test: TestRegistry
let servers: readonly Registry[]
let search: (part: string) => Promise<readonly (string | number)[] | undefined>
beforeAll(async () => {
  test = await createTestRegistry("sqlite")
  servers = [test.registry, await test.openAnother()]
  const database = await test.openTables()
  const searchNames = createNameSearch(database, createListCounters(database))
  search = async (part) => {
    const query = { page: 1, page_size: 3, sort: "-created_at", filter: like(part) } as const
    const found = await searchNames(planPage(SQLITE_DIALECT, scopeOf("default", "all"), query))
    return found && [found.total, ...found.rows.map(({ name }) => name)]
  }
})
afterAll(() => test.remove())

function like(part: string): Filter {
  return {
    kind: "comparison",
    field: { column: "name", path: [] },
    operator: "$like",
    operands: [{ readings: [part], written: part }],
  }
}

it("A search of names in memory begins when it is worth it, and sees every change of all servers at once", async () => {
  const present: string[] = []
  const expected = (part: string) => {
    const names = present.filter((name) => name.toLowerCase().includes(part)).toReversed()
    return [names.length, ...names.slice(0, 3)]
  }
  let created = 0
  const create = async (server: number, letter: string) => {
    const name = `Set-${letter}${(created += 1)}`
    await servers[server]?.filesets.create("default", { name })
    await servers[server]?.filesets.create("system", { name })
    present.push(name)
  }
  const remove = async (server: number) => {
    const [name] = present.splice(Math.floor(present.length / 2), 1)
    if (name !== undefined) await servers[server]?.filesets.remove("default", name)
  }
  for (const letter of ["a", "b", "c", "d"]) await create(0, letter)
  for (let searched = 0; searched < 7; searched += 1) expect(await search("set")).toBeUndefined()
  await expect.poll(() => search("set")).toEqual([4, "Set-d4", "Set-c3", "Set-b2"])

  const rename = async (server: number) => {
    const place = Math.floor(present.length / 2)
    const name = present[place]
    if (name === undefined) return
    present[place] = `Set-b${(created += 1)}`
    await servers[server]?.filesets.update("default", name, { name: present[place] })
  }

  const step = fc.record({
    server: fc.constantFrom(0, 1),
    change: fc.constantFrom("a", "b", remove, rename),
    part: fc.constantFrom("set", "-a", "b"),
  })
  let [found, afterCreates] = [0, 0]
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 10 }), async (steps) => {
      while ((await search("set")) === undefined);
      // Names that are searched often are read again soon.
      for (let turn = 0; turn < 8; turn += 1) await search("set")
      let onlyCreated = true
      for (const { server, change, part } of steps) {
        if (typeof change === "function") await change(server)
        else await create(server, change)
        onlyCreated &&= typeof change === "string"
        const names = await search(part)
        if (onlyCreated) expect(names).toBeDefined()
        if (onlyCreated) afterCreates += 1
        if (names === undefined) continue
        found += 1
        expect(names).toEqual(expected(part))
      }
    }),
    // Fixed, so that the counts below do not depend on chance.
    { numRuns: 15, seed: 5 },
  )
  expect(afterCreates).toBeGreaterThan(10)
  expect(found).toBeGreaterThan(afterCreates)
})
