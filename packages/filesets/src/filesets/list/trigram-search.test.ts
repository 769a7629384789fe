import type { Filter } from "@assay/schemas"
import * as fc from "fast-check"
import { afterEach, beforeEach, expect, it } from "vitest"
import { SQLITE_DIALECT } from "@assay/database/testing"
import { createTestRegistry, type TestRegistry, type Registry } from "../../testing/test-registry.ts"
import { createListCounters } from "./list-counts.ts"
import { planPage, scopeOf } from "./page-plan.ts"
import { createTextSearch } from "./trigram-search.ts"

let test: TestRegistry
let servers: readonly Registry[]
let searchIn: (field: Field, part: string) => Promise<readonly (string | number)[] | undefined>
beforeEach(async () => {
  test = await createTestRegistry("sqlite")
  servers = [test.registry, await test.openAnother()]
  const database = await test.openTables()
  if (database.scan === undefined) throw new Error("SQLite has scan threads.")
  const searchTexts = createTextSearch(database, database.scan, createListCounters(database))
  searchIn = async (field, part) => {
    const query = { page: 1, page_size: 3, sort: "-created_at", filter: like(field, part) } as const
    const found = await searchTexts(planPage(SQLITE_DIALECT, scopeOf("default", "all"), query))
    return found && [found.total, ...found.rows.map(({ name }) => name)]
  }
})
afterEach(() => test.remove())

interface Field {
  readonly column: "name" | "custom_fields"
  readonly path: readonly string[]
}
const NAME: Field = { column: "name", path: [] }
const SOURCE: Field = { column: "custom_fields", path: ["from", "source"] }

function like(field: Field, part: string): Filter {
  return {
    kind: "comparison",
    field,
    operator: "$like",
    operands: [{ readings: [part], written: part }],
  }
}

it.each([
  ["names", NAME],
  ["a custom field", SOURCE],
])(
  "A search of %s in memory begins when it is worth it, and sees every change of all servers at once",
  async (_of, field) => {
    const search = (part: string) => searchIn(field, part)
    const present: string[] = []
    const expected = (part: string) => {
      const names = present.filter((name) => name.toLowerCase().includes(part)).toReversed()
      return [names.length, ...names.slice(0, 3)]
    }
    let created = 0
    const create = async (server: number, letter: string) => {
      const name = `Set-${letter}${(created += 1)}`
      await servers[server]?.filesets.create("default", { name, custom_fields: { from: { source: name } } })
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
      const position = Math.floor(present.length / 2)
      const name = present[position]
      if (name === undefined) return
      const next = `Set-b${(created += 1)}`
      present[position] = next
      await servers[server]?.filesets.update("default", name, { name: next, custom_fields: { from: { source: next } } })
    }

    const step = fc.record({
      server: fc.constantFrom(0, 1),
      change: fc.constantFrom("a", "b", remove, rename),
      part: fc.constantFrom("set", "-a", "b"),
    })
    let afterCreates = 0
    const untilInMemory = async (part: string) => {
      let names = await search(part)
      while (names === undefined) names = await search(part)
      return names
    }
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 10 }), async (steps) => {
        expect(await untilInMemory("set")).toEqual(expected("set"))
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
          if (names !== undefined) expect(names).toEqual(expected(part))
        }
        // Texts that a removal or a new name dropped are read again on another thread, when it gets to it.
        expect(await untilInMemory("-a")).toEqual(expected("-a"))
      }),
      // Fixed, so that the counts below do not depend on chance.
      { numRuns: 15, seed: 5 },
    )
    expect(afterCreates).toBeGreaterThan(10)
  },
)

it("A search of a custom field finds text only, and leaves fields with much JSON to the database", async () => {
  const create = (name: string, source: unknown, text = "") =>
    servers[0]?.filesets.create("default", { name, custom_fields: { from: { source }, text } })
  await create("text", 'A "quoted" 7\\n')
  await create("number", 70)
  await create("list", ["7"])
  await create("object", { source: "7" })
  await create("missing", undefined)
  const search = (part: string) => searchIn(SOURCE, part)
  await expect.poll(() => search("7")).toEqual([1, "text"])
  expect(await search('"QUOTED" 7\\N')).toEqual([1, "text"])
  await create("long", "7", "x".repeat(20_000))
  expect(await search("7")).toBeUndefined()
  for (let searched = 0; searched < 30; searched += 1) expect(await search("7")).toBeUndefined()
  const { data } = (await servers[0]?.filesets.list(
    "default",
    { page: 1, page_size: 9, sort: "created_at", filter: like(SOURCE, "7") },
    "all",
  )) ?? { data: [] }
  expect(data.map(({ name }) => name)).toEqual(["text", "long"])
})

it("A search keeps the texts of the four fields that were searched last", async () => {
  await servers[0]?.filesets.create("default", { name: "only", custom_fields: { a: "x", b: "x", c: "x", d: "x" } })
  const fields = ["a", "b", "c", "d"].map((key): Field => ({ column: "custom_fields", path: [key] }))
  for (const field of fields) await expect.poll(() => searchIn(field, "x")).toEqual([1, "only"])
  for (const field of fields) expect(await searchIn(field, "x")).toEqual([1, "only"])
  await expect.poll(() => searchIn(NAME, "only")).toEqual([1, "only"])
  const [first] = fields
  expect(first && (await searchIn(first, "x"))).toBeUndefined()
})
