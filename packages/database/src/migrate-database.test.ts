import { existsSync } from "node:fs"
import { sql } from "kysely"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { openDatabase } from "./open-database.ts"
import { createTestDatabase, DATABASE_KINDS, type TestDatabase } from "./testing/databases.ts"
import { migrateDatabase } from "./migrate-database.ts"

describe.each(DATABASE_KINDS)("the migration of a new database on %s", (kind) => {
  let testDatabase: TestDatabase
  beforeEach(async () => {
    testDatabase = await createTestDatabase(kind, { isNew: true })
  })
  afterEach(() => testDatabase.remove())

  it("runs every migration once, and a check only says which are missing", verifies("database.migrate"), async () => {
    const { options } = testDatabase
    const missing = await migrateDatabase(options, { isCheck: true })
    expect(missing[0]).toBe("0001-first-tables")
    expect(await migrateDatabase(options, { isCheck: true })).toEqual(missing)
    if (options.kind === "sqlite") expect(existsSync(options.file)).toBe(false)
    const refused = openDatabase(options, () => {}, { mayMigrate: () => false })
    await expect(refused).rejects.toMatchObject({
      code: "bad_settings",
      message: expect.stringMatching(/lacks 0001-first-tables, .*assay migrate/),
    })
    expect(await migrateDatabase(options)).toEqual(missing)
    expect(await migrateDatabase(options)).toEqual([])
    expect(await migrateDatabase(options, { isCheck: true })).toEqual([])
  })

  it(
    "of a later version keeps servers of this version, until one removes something",
    verifies("database.rolling-upgrade"),
    async () => {
      const { options } = testDatabase
      const database = await openDatabase(options, () => {})
      const take = (name: string) =>
        database.write((queries) =>
          sql`insert into kysely_migration (name, timestamp) values (${name}, '2030-01-01')`.execute(queries),
        )
      const start = async () => (await openDatabase(options, () => {})).close()
      const refusal = { code: "bad_settings", message: expect.stringContaining("a later version of Assay") }
      try {
        await take("9998-more")
        // Only servers of a shared database are upgraded one after the other.
        if (kind === "postgres") await start()
        else await expect(start()).rejects.toMatchObject(refusal)
        await take("9999-contract-less")
        await expect(start()).rejects.toMatchObject(refusal)
      } finally {
        await database.close()
      }
    },
  )
})
