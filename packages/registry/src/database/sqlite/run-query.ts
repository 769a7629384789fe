import type { CompiledQuery, QueryResult } from "kysely"
import type { SqliteConnection } from "./sqlite-connection.ts"

/** Runs what Kysely compiled. */
export function runQuery<Row>(connection: SqliteConnection, query: CompiledQuery<Row>): QueryResult<Row> {
  const { rows, changes } = connection.run(query.sql, query.parameters)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- who builds a query knows what it answers with
  return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
}
