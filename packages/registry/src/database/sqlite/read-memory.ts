import type { CompiledQuery } from "kysely"
import { runQuery, type SqliteConnection } from "./connection.ts"

/** The results of queries since the last commit. Rows are shared and must not be changed. */
interface ReadMemory {
  /** Begins a transaction, and drops the results from before the last commit of any process. */
  begin(): void
  /** Returns the rows of `query`. A repeated query is not run again. */
  rows<Row>(query: CompiledQuery<Row>): readonly Row[]
}

/** Maximum number of results. */
const MAX = 1000

/**
 * Remembers the results of a connection that only reads. `data_version` changes with every commit of another connection,
 * also in other processes. Reading it costs a fraction of reading a row.
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
