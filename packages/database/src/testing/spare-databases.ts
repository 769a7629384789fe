import { randomUUID } from "node:crypto"
import { createDatabase } from "@assay/testkit"
import { sql } from "kysely"
import { Client } from "pg"
import { openDatabase } from "../open-database.ts"
import { expandSchema } from "./expand-schema.ts"

/** The prefix of databases with the newest schema and no records. The PostgreSQL server keeps the list of them. */
const SPARE = "spare_"

/** Returns the address of a database without records: one of an earlier test, or a new one. */
export async function takeDatabase(serverUrl: string): Promise<string> {
  const taken = await withClient(serverUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "select datname as name from pg_database where starts_with(datname, $1)",
      [SPARE],
    )
    for (const { name } of rows) {
      // This fails if another worker takes it first.
      const renamed = await rename(client, name, nameWith("test_")).catch(() => undefined)
      if (renamed !== undefined) return renamed
    }
    return undefined
  })
  return taken === undefined ? createExpanded(serverUrl) : addressOf(serverUrl, taken)
}

async function createExpanded(serverUrl: string): Promise<string> {
  const url = await createDatabase(serverUrl)
  const database = await openDatabase({ kind: "postgres", url, maxConnections: 2 }, () => {})
  try {
    await expandSchema(database)
  } finally {
    await database.close()
  }
  return url
}

/**
 * Ends all connections to the database at `url`, removes its records, and makes it available for the next test. A new
 * database takes ten times as long. A database with a changed schema is not used again.
 */
export async function giveBackDatabase(serverUrl: string, url: string): Promise<void> {
  if (!(await emptyDatabase(url))) return
  const name = new URL(url).pathname.slice(1)
  await withClient(serverUrl, (client) => rename(client, name, nameWith(SPARE)))
}

async function emptyDatabase(url: string): Promise<boolean> {
  const options = { kind: "postgres", url, maxConnections: 1 } as const
  // A guest can't open a database without the newest schema.
  const database = await openDatabase(options, () => {}, { guest: true }).catch(() => undefined)
  if (database === undefined) return false
  try {
    await database.write(async (queries) => {
      await sql`select pg_terminate_backend(pid, 30000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`.execute(queries)
      // This turns off triggers and foreign keys.
      await sql`set local session_replication_role = replica`.execute(queries)
      await sql`do $$ declare name text; begin
      for name in select tablename from pg_tables where schemaname = 'public' and tablename not like 'kysely%' loop
        execute format('delete from %I', name);
      end loop;
    end $$`.execute(queries)
      // The only record that migrations create.
      await queries.insertInto("cache_totals").values({ bytes: 0 }).execute()
    })
  } finally {
    await database.close()
  }
  return true
}

async function rename(client: Client, from: string, to: string): Promise<string> {
  await client.query(`alter database ${client.escapeIdentifier(from)} rename to ${client.escapeIdentifier(to)}`)
  return to
}

function nameWith(prefix: string): string {
  return prefix + randomUUID().replaceAll("-", "")
}

function addressOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
