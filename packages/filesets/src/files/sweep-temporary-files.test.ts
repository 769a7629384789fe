import { sql } from "kysely"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type Database, openDatabase } from "@assay/database"
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "@assay/database/testing"
import { usersFolders } from "./sweep-temporary-files.ts"

describe.each(DATABASE_KINDS)("the query for filesets in users' folders on %s", (kind) => {
  let testDatabase: TestDatabase
  let database: Database
  beforeAll(async () => {
    testDatabase = await createTestDatabase(kind)
    database = await openDatabase(testDatabase.options, () => {})
  })
  afterAll(async () => {
    await database.close()
    await testDatabase.remove()
  })

  it("reads only those filesets, in an index", async () => {
    const { rows } = await database.write(async (queries) => {
      // PostgreSQL reads a table as small as this one whole if it may, or sorts what another index found.
      if (kind === "postgres") {
        await sql`set local enable_seqscan = off`.execute(queries)
        await sql`set local enable_sort = off`.execute(queries)
        await sql`set local enable_bitmapscan = off`.execute(queries)
      }
      const query = usersFolders(queries).where("id", ">", "").limit(100).compile()
      const word = kind === "sqlite" ? "explain query plan" : "explain"
      return queries.executeQuery({ ...query, sql: `${word} ${query.sql}` })
    })
    expect(JSON.stringify(rows)).toContain("filesets_in_users_folders")
  })
})
