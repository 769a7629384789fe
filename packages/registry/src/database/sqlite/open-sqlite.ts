import { DatabaseSync } from "node:sqlite"
import { migrate } from "../../migrations/migrate.ts"
import type { Database } from "../database.ts"
import { fillSlots } from "../prepared-query.ts"
import { groupWriter } from "./group-writer.ts"
import { runQuery } from "./run-query.ts"
import { sqliteConnection, type SqliteConnection } from "./sqlite-connection.ts"
import { SQLITE_DIALECT } from "./sqlite-dialect.ts"
import { sqliteKysely } from "./sqlite-kysely.ts"

/** Opens the database in `file`, which is made where it is missing. */
export async function openSqlite(file: string): Promise<Database> {
  const writing = connect(file)
  const writer = sqliteKysely(writing)
  await migrate(writer, SQLITE_DIALECT)
  const reading = connect(file)
  reading.run("pragma query_only = on")
  const reader = sqliteKysely(reading)

  return {
    dialect: SQLITE_DIALECT,
    read: (work) => work(reader),
    write: groupWriter(writing, writer),
    prepare(build) {
      const query = build(reader).compile()
      return { run: async (values = {}) => (await reader.executeQuery(fillSlots(query, values))).rows }
    },
    prepareTogether(build) {
      const [first, second] = build(reader)
      const [a, b] = [first.compile(), second.compile()]
      return {
        async run(values = {}) {
          reading.run("begin")
          try {
            return [runQuery(reading, fillSlots(a, values)).rows, runQuery(reading, fillSlots(b, values)).rows]
          } finally {
            reading.run("commit")
          }
        },
      }
    },
    async close() {
      await reader.destroy()
      await writer.destroy()
    },
  }
}

/**
 * Two of these work on a file: readers see the last commit while the writer is at the next. What was answered must not
 * be lost to a power cut, so every commit waits for the disk.
 */
function connect(file: string): SqliteConnection {
  const connection = sqliteConnection(new DatabaseSync(file, { timeout: 5000 }))
  connection.run("pragma journal_mode = wal")
  connection.run("pragma synchronous = full")
  connection.run("pragma foreign_keys = on")
  connection.run("pragma cache_size = -65536")
  return connection
}
