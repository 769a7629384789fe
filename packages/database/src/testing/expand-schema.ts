import { sql } from "kysely"
import type { Database } from "../database.ts"

/** SQLite's list has virtual tables and their parts, and PostgreSQL has no such list. */
const SQLITE_TABLES = sql<{ readonly name: string }>`select name from pragma_table_list
  where type = 'table' and schema = 'main' and name not like 'sqlite_%' and name not like 'kysely_%'`
/** Without partitions, which have the columns of their tables. */
const POSTGRES_TABLES = sql<{ readonly name: string }>`select relname as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname not like 'kysely%'`

/**
 * Changes the schema as the migrations of the next version may: each table has two more columns, and there is one more table. All
 * tests run with it, and so prove that servers of this version run on the database of the next one.
 */
export async function expandSchema(database: Database): Promise<void> {
  await database.write(async (queries) => {
    const list = database.shared === undefined ? SQLITE_TABLES : POSTGRES_TABLES
    const { rows } = await list.execute(queries)
    if (rows.length < 20) throw new Error(`The database has only ${rows.length} tables.`)
    for (const { name } of rows) {
      await sql`alter table ${sql.table(name)} add column of_next_version text`.execute(queries)
      await sql`alter table ${sql.table(name)} add column set_by_next_version text not null default 'old'`.execute(
        queries,
      )
    }
    await sql`create table things_of_next_version (id text primary key)`.execute(queries)
  })
}
