import { queryDatabase, startPostgres, type PostgresServer } from "@assay/testkit"
import { sql } from "kysely"
import { afterAll, beforeAll, expect, it } from "vitest"
import type { Queries } from "../database.ts"
import { openDatabase } from "../open-database.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres({ durable: true })
  // PostgreSQL itself takes such commits to the disk after 200 ms. The longest time is 10 s.
  await queryDatabase(server.url, "alter system set wal_writer_delay = '10s'")
  await server.restart()
})
afterAll(() => server.stop())

/** Returns the end of the log in memory, and whether the disk has all before `end`. */
async function readLog(queries: Queries, end?: string): Promise<{ readonly end: string; readonly isStored: boolean }> {
  const { rows } = await sql<{ end: string; is_stored: boolean }>`
    with log as (select pg_current_wal_insert_lsn() as "end", pg_current_wal_flush_lsn() as stored)
    select "end"::text, stored >= coalesce(${end ?? null}::pg_lsn, "end") as is_stored from log`.execute(queries)
  const [row] = rows
  if (row === undefined) throw new Error("PostgreSQL returned no row.")
  return { end: row.end, isStored: row.is_stored }
}

it("takes commits to the disk that did not wait for it when a database is settled", async () => {
  const database = await openDatabase({ kind: "postgres", url: server.url }, () => {})
  let log
  do {
    const name = crypto.randomUUID()
    const workspace = { id: name, name, description: "", created_at: 1, updated_at: 1 }
    await database.write((queries) => queries.insertInto("workspaces").values(workspace).execute(), { durable: false })
    log = await database.read((queries) => readLog(queries))
  } while (log.isStored)
  const { end } = log
  await database.settle()
  expect(await database.read((queries) => readLog(queries, end))).toMatchObject({ isStored: true })
  await database.close()
})
