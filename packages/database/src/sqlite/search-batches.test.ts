import type { Filter } from "@assay/schemas"
import * as fc from "fast-check"
import { sql } from "kysely"
import { describe, expect, it, onTestFinished } from "vitest"
import { createTestDatabase } from "../testing/databases.ts"
import type { Database, Queries } from "../database.ts"
import { SQLITE_DIALECT } from "./dialect.ts"
import { openSqlite } from "./open.ts"

/** The number of filesets that enter the index together. */
const BATCH = 128

const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("insert"), count: fc.integer({ min: 1, max: 2 * BATCH }) }) },
  fc.record({ kind: fc.constant("remove newest"), count: fc.integer({ min: 1, max: 2 * BATCH }) }),
  fc.record({ kind: fc.constant("remove some"), count: fc.integer({ min: 2, max: 50 }) }),
  fc.record({ kind: fc.constant("rename some"), count: fc.integer({ min: 2, max: 50 }) }),
)

describe("the search index of SQLite", () => {
  it("finds every fileset, and equals the rows when all have entered it, after any order of changes", async () => {
    const testDatabase = await createTestDatabase("sqlite")
    if (testDatabase.options.kind !== "sqlite") throw new TypeError("not SQLite")
    const database = await openSqlite(testDatabase.options.file)
    onTestFinished(async () => {
      await database.close()
      await testDatabase.remove()
    })
    await database.write(async (queries) => {
      const workspace = { id: "w", name: "w", description: "", created_at: 0, updated_at: 0 }
      await queries.insertInto("workspaces").values(workspace).execute()
    })
    let made = 0
    const insert = (count: number) =>
      database.write(async (queries) => {
        // One at a time, as users create them: the index takes the waiting ones in pieces.
        for (let n = 0; n < count; n += 1) {
          const number = (made += 1)
          await queries.insertInto("filesets").values(filesetRow(number)).execute()
        }
      })
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        for (const { kind, count } of changes) {
          await (kind === "insert" ? insert(count) : database.write((queries) => apply(queries, kind, count)))
          await expectComplete(database)
        }
        while ((await waiting(database)) > 0) await insert(1)
        // This fails if the index differs from the rows.
        await database.write((queries) =>
          sql`insert into fileset_search (fileset_search, rank) values ('integrity-check', 1)`.execute(queries),
        )
      }),
      { numRuns: 8 },
    )
  })
})

function filesetRow(number: number) {
  const name = `made-${number}`
  return {
    id: `fileset-${name}`,
    name,
    name_folded: name,
    workspace: "w",
    description: "",
    description_folded: "",
    project: "",
    project_folded: "",
    purpose: "dataset",
    storage: JSON.stringify({ type: "local", path: "/data" }),
    storage_type: "local",
    owns_bytes: 0,
    metadata: "{}",
    metadata_folded: null,
    custom_fields: JSON.stringify({ number }),
    custom_fields_folded: null,
    created_at: 0,
    updated_at: 0,
  } as const
}

async function apply(queries: Queries, kind: string, count: number): Promise<void> {
  if (kind === "remove newest")
    await sql`delete from filesets where seq > (select max(seq) from filesets) - ${count}`.execute(queries)
  if (kind === "remove some") await sql`delete from filesets where seq % ${count} = 0`.execute(queries)
  if (kind === "rename some")
    await sql`update filesets set name = name || '-new', name_folded = name_folded || '-new' where seq % ${count} = 1`.execute(
      queries,
    )
}

/** Returns the number of filesets that are not in the index. */
async function waiting(database: Database): Promise<number> {
  const found = await database.read((queries) =>
    sql<{ waiting: number }>`select count(*) as waiting from filesets
      where seq > (select seq from fileset_search_end)`.execute(queries),
  )
  return found.rows[0]?.waiting ?? 0
}

/** Checks that a search finds each fileset, and that few of them are outside the index. */
async function expectComplete(database: Database): Promise<void> {
  expect(await waiting(database)).toBeLessThan(BATCH)
  await database.read(async (queries) => {
    for (const part of ["made", "-new"]) {
      const found = await SQLITE_DIALECT.candidates(queries, like(part))
      if (found === undefined) throw new TypeError("The index is not used.")
      const missing = await sql<{ name: string }>`select name from filesets
        where instr(name_folded, ${part}) > 0 and not ${found.condition}`.execute(queries)
      expect(missing.rows).toEqual([])
    }
  })
}

function like(part: string): Filter {
  const operands = [{ readings: [part], written: part }]
  return { kind: "comparison", field: { column: "name", path: [] }, operator: "$like", operands }
}
