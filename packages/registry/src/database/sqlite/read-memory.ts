import type { CompiledQuery } from "kysely"
import { runQuery, type SqliteConnection } from "./sqlite-connection.ts"

/** What queries found, for as long as nothing was committed. Rows are shared, so nobody may change them. */
export interface ReadMemory {
  /** Begins a transaction, and forgets what was found before the last commit of anybody. */
  begin(): void
  /** The rows of `query`. A query that was asked before is not run again. */
  rows<Row>(query: CompiledQuery<Row>): readonly Row[]
}

/** Answers that are kept at most. */
const MAX = 1000

/**
 * Remembers on a connection that only reads: `data_version` tells it of commits of every other connection, those of other
 * processes included. Reading a row whole costs several times what it costs to know that it is still the same.
 */
export function createReadMemory(connection: SqliteConnection): ReadMemory {
  const found = new Map<string, readonly unknown[]>()
  let version: unknown
  return {
    begin() {
      connection.run("begin")
      const [row] = connection.run("pragma data_version").rows as { data_version: number }[]
      if (row?.data_version === version) return
      version = row?.data_version
      found.clear()
    },
    rows<Row>(query: CompiledQuery<Row>) {
      const key = query.sql + JSON.stringify(query.parameters)
      const known = found.get(key)
      if (known !== undefined) return known as readonly Row[]
      const { rows } = runQuery(connection, query)
      if (found.size >= MAX) found.clear()
      found.set(key, rows)
      return rows
    },
  }
}
