import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import type { CompiledQuery, QueryResult } from "kysely"

export interface SqliteConnection {
  /** Runs one statement. Everything is synchronous, so statements run one after another see the same moment in `begin`. */
  run(text: string, parameters?: readonly unknown[]): { readonly rows: unknown[]; readonly changes: number }
  /** Does nothing the second time. */
  close(): void
}

/** More texts than the registry's own queries and the filters that are common at a time. */
const STATEMENTS = 500

/** Statements over one connection; the ones used last are kept ready. */
export function sqliteConnection(raw: DatabaseSync): SqliteConnection {
  const kept = new Map<string, { statement: StatementSync; answersRows: boolean }>()

  function statementFor(text: string) {
    const known = kept.get(text)
    if (known !== undefined) return known
    const statement = raw.prepare(text)
    const prepared = { statement, answersRows: statement.columns().length > 0 }
    for (const oldest of kept.keys()) {
      if (kept.size < STATEMENTS) break
      kept.delete(oldest)
    }
    kept.set(text, prepared)
    return prepared
  }

  return {
    run(text, parameters = []) {
      const { statement, answersRows } = statementFor(text)
      const values = parameters.map(sqliteValue)
      if (answersRows) return { rows: statement.all(...values), changes: 0 }
      return { rows: [], changes: Number(statement.run(...values).changes) }
    },
    close() {
      if (raw.isOpen) raw.close()
    },
  }
}

/** An object in the first place would be taken for named parameters, and the others land in wrong columns: refuse it. */
function sqliteValue(value: unknown): SQLInputValue {
  if (value === null || value instanceof Uint8Array) return value
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value
  if (typeof value === "boolean") return value ? 1 : 0
  throw new TypeError(`A parameter of a query is ${typeof value}; SQLite takes text, numbers, bytes and null.`)
}

/** Runs what Kysely compiled. */
export function runQuery<Row>(connection: SqliteConnection, query: CompiledQuery<Row>): QueryResult<Row> {
  const { rows, changes } = connection.run(query.sql, query.parameters)
  return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
}

/** Ends a transaction that failed. */
export function rollBack(connection: SqliteConnection): void {
  try {
    connection.run("rollback")
  } catch {
    // SQLite has ended the transaction by itself.
  }
}
