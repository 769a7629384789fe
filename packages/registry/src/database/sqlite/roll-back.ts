import type { SqliteConnection } from "./sqlite-connection.ts"

/** Ends a transaction that failed. */
export function rollBack(connection: SqliteConnection): void {
  try {
    connection.run("rollback")
  } catch {
    // SQLite has ended the transaction by itself.
  }
}
