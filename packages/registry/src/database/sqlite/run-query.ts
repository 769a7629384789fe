import type { CompiledQuery, QueryResult } from "kysely"
import type { SqliteConnection } from "./sqlite-connection.ts"

/** Runs what Kysely compiled. */
export function runQuery<Row>(connection: SqliteConnection, query: CompiledQuery<Row>): QueryResult<Row> {
  const { rows, changes } = connection.run(query.sql, query.parameters)
  return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
}
