import { parseFilesetFilter, type Fileset, type Filter } from "@assay/schemas"
import { filesetArbitrary, filterArbitrary, matchesFilter } from "@assay/schemas/testing"
import { verifies } from "@assay/testkit/verifies"
import * as fc from "fast-check"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Database } from "../database/database.ts"
import { openDatabase } from "../database/open-database.ts"
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "../testing/databases.ts"
import { insertFilesets } from "../testing/test-filesets.ts"
import { compileFilter } from "./compile-filter.ts"

describe.each(DATABASE_KINDS)("a filter compiled for %s", (kind) => {
  let place: TestDatabase
  let database: Database

  beforeAll(async () => {
    place = await createTestDatabase(kind)
    database = await openDatabase(place.options, () => {})
    await database.write(async (queries) => {
      const workspace = { id: "", description: "", created_at: 0, updated_at: 0 }
      const workspaces = ["default", "other"].map((name) => ({ ...workspace, id: name, name }))
      await queries.insertInto("workspaces").values(workspaces).execute()
    })
  })
  afterAll(async () => {
    await database.close()
    await place.remove()
  })

  async function store(filesets: readonly Fileset[]): Promise<void> {
    await database.write(async (queries) => {
      await queries.deleteFrom("filesets").execute()
      await insertFilesets(queries, filesets)
    })
  }

  async function select(filter: Filter): Promise<string[]> {
    const rows = await database.read((queries) =>
      queries
        .selectFrom("filesets")
        .select("id")
        .where(compileFilter(filter, database.dialect))
        .orderBy("id")
        .execute(),
    )
    return rows.map((row) => row.id)
  }

  it(
    "selects exactly the filesets that match it, for every filter",
    verifies(
      "filter.two-valued",
      "filter.missing",
      "filter.null",
      "filter.ordering",
      "filter.typed-values",
      "filesets.list.in-database",
    ),
    async () => {
      const filesets = fc.uniqueArray(filesetArbitrary(), {
        minLength: 8,
        maxLength: 12,
        comparator: (a, b) => a.id === b.id || (a.workspace === b.workspace && a.name === b.name),
      })
      const filters = fc.array(filterArbitrary(), { minLength: 20, maxLength: 20 })
      await fc.assert(
        fc.asyncProperty(filesets, filters, async (filesets, filters) => {
          await store(filesets)
          for (const filter of filters) {
            const expected = filesets.filter((fileset) => matchesFilter(fileset, filter)).map(({ id }) => id)
            expect(await select(filter), JSON.stringify(filter)).toEqual(expected.toSorted())
          }
        }),
        { numRuns: 60 },
      )
    },
  )

  it("skips a record whose JSON is too deep for SQLite", verifies("filter.stored-deep"), async () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(1100)}1${"}".repeat(1100)}`)
    const [first, second] = fc.sample(filesetArbitrary(), { numRuns: 2, seed: 1 }) as [Fileset, Fileset]
    const flat = { ...first, id: "flat", name: "flat", custom_fields: { team: "Blue", n: 5, on: true } }
    const broken = { ...second, id: "deep", name: "deep", custom_fields: { team: "Red", deep } }
    await store([flat, broken])
    const matching = [
      '{"custom_fields.team":"Blue"}',
      '{"custom_fields.team":{"$in":["Blue","Green"]}}',
      '{"custom_fields.team":{"$like":"lu"}}',
      '{"custom_fields.n":{"$gte":5}}',
      '{"custom_fields.on":true}',
      '{"custom_fields.missing":null}',
      '{"custom_fields.team":{"$nin":["Red"]}}',
      '{"$not":{"custom_fields.team":"Red"}}',
    ]
    for (const text of matching) {
      const filter = parseFilesetFilter([["filter", text]])
      expect(filter).toBeDefined()
      if (filter !== undefined) expect(await select(filter), text).toContain("flat")
    }
  })
})
