import { DatabaseSync } from "node:sqlite"
import { createDatabase, verifies } from "@assay/testkit"
import { sql } from "kysely"
import { Pool } from "pg"
import { describe, expect, inject, it, onTestFinished } from "vitest"
import type { Queries } from "../database.ts"
import { POSTGRES_DIALECT } from "../postgres/dialect.ts"
import { postgresKysely } from "../postgres/kysely.ts"
import { sqliteConnection, sqliteKysely } from "../sqlite/connection.ts"
import { SQLITE_DIALECT } from "../sqlite/dialect.ts"
import { DATABASE_KINDS, type DatabaseKind } from "../testing/databases.ts"
import { describeSchema, findBreaks } from "../testing/describe-schema.ts"
import { migrate, MIGRATION_NAMES } from "./migrate.ts"

async function openEmpty(kind: DatabaseKind): Promise<Queries> {
  if (kind === "sqlite") return sqliteKysely(sqliteConnection(new DatabaseSync(":memory:")))
  const pool = new Pool({ connectionString: await createDatabase(inject("postgresUrl")), max: 1 })
  const queries = postgresKysely(pool, "set local lock_timeout = 0")
  onTestFinished(() => queries.destroy())
  return queries
}

const dialectOf = (kind: DatabaseKind) => (kind === "sqlite" ? SQLITE_DIALECT : POSTGRES_DIALECT)

describe.each(DATABASE_KINDS)("the migrations on %s", (kind) => {
  it(
    "only add to the schema, so that servers of the version before keep running",
    verifies("database.rolling-upgrade"),
    async () => {
      const queries = await openEmpty(kind)
      const [first = "", ...others] = MIGRATION_NAMES
      await migrate(queries, dialectOf(kind), first)
      let before = await describeSchema(queries, kind)
      for (const name of others) {
        await migrate(queries, dialectOf(kind), name)
        const after = await describeSchema(queries, kind)
        if (!name.includes("-contract-")) expect([name, ...findBreaks(before, after)]).toEqual([name])
        before = after
      }
      expect(before.columns.length).toBeGreaterThan(150)
      expect(before.rules.length).toBeGreaterThan(20)
      await breakAll(queries)
      const found = (start: string) => expect.stringMatching(new RegExp(`^${start}`))
      expect(findBreaks(before, await describeSchema(queries, kind))).toEqual(
        expect.arrayContaining([
          found("The column workspaces.description is removed or renamed"),
          found("The column projects.name was '.*' and is '.*'"),
          found("The new column projects.must has no default"),
          found("The rule 'models: unique .*' is new"),
          found("The rule 'projects: unique .*' is removed"),
        ]),
      )
    },
  )
})

/** Makes changes that servers of the version before do not survive. */
async function breakAll(queries: Queries): Promise<void> {
  for (const change of [
    sql`alter table workspaces rename column description to about`,
    sql`drop table projects`,
    sql`create table projects (id text, workspace text, name text, description text, must text not null)`,
    sql`create unique index models_only on models (project)`,
  ])
    await change.execute(queries)
}
