import { FILESET_SORTS, PURPOSES, type Fileset, type FilesetSort } from "@assay/schemas"
import { queryDatabase, verifies } from "@assay/testkit"
import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { fillSlots, type Database, openDatabase, orderOf } from "@assay/database"
import {
  createTestDatabase,
  DATABASE_KINDS,
  type TestDatabase,
  insertFilesets,
  testFileset,
} from "@assay/database/testing"
import { FACETS, type Facet, type PageShape } from "./page-plan.ts"
import { pageQuery } from "./page-queries.ts"

const FILESETS = 6000
/** Matches plans that read every row, or sort more than equal values. */
const SLOW = /SCAN filesets(?! USING)|TEMP B-TREE|Seq Scan|(?<!Incremental )Sort {2}\(/

describe.each(DATABASE_KINDS)("the query of a page on %s", (kind) => {
  let testDatabase: TestDatabase
  let database: Database
  beforeAll(async () => {
    testDatabase = await createTestDatabase(kind)
    database = await openDatabase(testDatabase.options, () => {})
    const time = { created_at: 0, updated_at: 0 }
    await database.write(async (queries) => {
      const workspaces = ["one", "two"].map((name) => ({ id: name, name, description: "", ...time }))
      await queries.insertInto("workspaces").values(workspaces).execute()
      const filesets = Array.from({ length: FILESETS }, (_, n) => fileset(n))
      await insertFilesets(queries, filesets)
    })
    // PostgreSQL reads only the index, without the table, after a vacuum. The automatic vacuum may run or not.
    if (testDatabase.options.kind === "postgres")
      await queryDatabase(testDatabase.options.url, "vacuum analyze filesets")
  })
  afterAll(async () => {
    await database.close()
    await testDatabase.remove()
  })

  async function explain(shape: PageShape): Promise<string> {
    const values = { workspace: "one", purpose: "model", storage_type: "local", limit: 10, offset: 0, reach: 10 }
    const mark = { value: shape.order.column === "name" ? "name-00100" : FILESETS / 2, id: "fileset-100" }
    const { rows } = await database.read(async (queries) => {
      const query = fillSlots(pageQuery(queries, shape, database.dialect).compile(), { ...values, ...mark })
      const word = kind === "sqlite" ? "explain query plan" : "explain"
      return queries.executeQuery({ ...query, sql: `${word} ${query.sql}` })
    })
    return rows.map((row) => Object.values(row as object).at(-1)).join("\n")
  }

  const shapeOf = (sort: FilesetSort, given: Partial<PageShape>): PageShape => ({
    scope: { kind: "one", workspace: "one" },
    order: orderOf(sort),
    facets: [],
    condition: undefined,
    candidates: undefined,
    source: "order",
    start: "few",
    total: "counts",
    ...given,
  })

  it.each(FILESET_SORTS)(
    "uses an index for the order %s, from the start and from a mark",
    verifies("filesets.list.in-database"),
    async (sort) => {
      const facets: Facet[][] = [[], ...FACETS.map((facet) => [facet])]
      for (const facet of facets) {
        for (const start of ["few", "mark"] as const) {
          const plan = await explain(shapeOf(sort, { facets: facet, start }))
          expect(plan).toMatch(/using (index|filesets_|covering)/i)
          expect(plan).not.toMatch(SLOW)
        }
      }
    },
  )

  it.each(["created_at", "-created_at", "name"] as const)(
    "uses an index over all workspaces for the order %s",
    async (sort) => {
      for (const facets of [[], ["purpose"]] as Facet[][]) {
        const plan = await explain(shapeOf(sort, { scope: { kind: "all" }, facets }))
        expect(plan).toMatch(/filesets_of_all_/)
        expect(plan).not.toMatch(SLOW)
      }
    },
  )

  it("follows no index that would visit the rows in another order than they are stored", async () => {
    const shape = shapeOf("-created_at", { source: "table", condition: sql`filesets.description_folded = 'x'` })
    const plan = await explain(shape)
    // PostgreSQL chooses by itself.
    if (kind === "sqlite") expect(plan).toMatch(/SCAN filesets$/m)
    expect(plan).toMatch(/filesets/)
  })

  it("skips the rows before a distant page without reading the table", async () => {
    const plan = await explain(shapeOf("-created_at", { start: "many" }))
    expect(plan).toMatch(kind === "sqlite" ? /USING COVERING INDEX filesets_of_workspace_by_newest/ : /Index Only Scan/)
  })
})

function fileset(n: number): Fileset {
  const time = new Date(n).toISOString()
  return testFileset({
    id: `fileset-${n}`,
    name: `name-${String(n).padStart(5, "0")}`,
    workspace: n % 2 === 0 ? "one" : "two",
    purpose: PURPOSES[n % 3] ?? "generic",
    created_at: time,
    updated_at: time,
  })
}
