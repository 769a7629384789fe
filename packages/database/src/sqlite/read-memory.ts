import type { CompiledQuery } from "kysely"
import { fillSlots, type SlotValues } from "../database.ts"
import { runQuery, type SqliteConnection } from "./connection.ts"

/** The results of queries since the last commit. Rows are shared and must not be changed. */
interface ReadMemory {
  /** Begins a transaction, and drops the results from before the last commit of any process. */
  begin(): void
  /** Returns a function that returns the rows of `query` with the values of its slots. A repeated query is not run again. */
  query<Row>(query: CompiledQuery<Row>): (values: SlotValues) => readonly Row[]
}

/** Maximum number of results. */
const MAX = 1000

/**
 * Remembers the results of a connection that only reads. `data_version` changes with every commit of another connection,
 * also in other processes. Reading it costs a fraction of reading a row.
 */
export function createReadMemory(connection: SqliteConnection): ReadMemory {
  // One map for each query: the text of a query is long to compare.
  const maps: Map<string, readonly unknown[]>[] = []
  let results = 0
  let version: unknown

  function clear(): void {
    for (const found of maps) found.clear()
    results = 0
  }

  return {
    begin() {
      connection.run("begin")
      const [row] = connection.run("pragma data_version").rows as { data_version: number }[]
      if (row?.data_version === version) return
      version = row?.data_version
      clear()
    },
    query<Row>(query: CompiledQuery<Row>) {
      const found = new Map<string, readonly Row[]>()
      maps.push(found)
      return (values) => {
        const filled = fillSlots(query, values)
        const key = JSON.stringify(filled.parameters)
        const known = found.get(key)
        if (known !== undefined) return known
        const { rows } = runQuery(connection, filled)
        if (results >= MAX) clear()
        results += 1
        found.set(key, rows)
        return rows
      }
    },
  }
}
