import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite"
import {
  Kysely,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type DialectAdapter,
  type Driver,
  type QueryResult,
} from "kysely"
import { LRUCache } from "lru-cache"
import type { Tables } from "../tables/tables.ts"

interface StatementResult {
  readonly rows: unknown[]
  readonly changes: number
}

/** Runs statements on this thread or on another one. */
interface StatementRunner {
  run(text: string, parameters?: readonly unknown[]): StatementResult | Promise<StatementResult>
  close(): void
}

export interface SqliteConnection extends StatementRunner {
  /** Runs one statement, synchronously. */
  run(text: string, parameters?: readonly unknown[]): StatementResult
  /** Changes a setting of the connection. SQLite does that when it prepares the statement, so it is prepared each time. */
  configure(pragma: string): void
  /** Does nothing the second time. */
  close(): void
}

interface PreparedStatement {
  readonly statement: StatementSync
  /** The names of the columns of its rows. Empty: it returns no rows. */
  readonly columns: readonly string[]
}

/** Maximum number of prepared statements. It exceeds the registry's own queries and the usual number of filters. */
const STATEMENTS = 500

/** Runs statements on a connection, and keeps them prepared. */
export function sqliteConnection(raw: DatabaseSync): SqliteConnection {
  const kept = new LRUCache<string, PreparedStatement>({ max: STATEMENTS })

  function statementFor(text: string) {
    const known = kept.get(text)
    if (known !== undefined) return known
    const statement = raw.prepare(text)
    statement.setReturnArrays(true)
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) }
    kept.set(text, prepared)
    return prepared
  }

  return {
    run(text, parameters = []) {
      const { statement, columns } = statementFor(text)
      const values = parameters.map(sqliteValue)
      if (columns.length > 0) return { rows: rowsOf(columns, statement.all(...values)), changes: 0 }
      return { rows: [], changes: Number(statement.run(...values).changes) }
    },
    configure: (pragma) => raw.exec(pragma),
    close() {
      if (raw.isOpen) raw.close()
    },
  }
}

/**
 * Returns arrays of values as rows. The rows of `node:sqlite` itself are dictionaries, which cost several times as much to make and
 * to read as objects of one shape.
 */
function rowsOf(columns: readonly string[], found: readonly unknown[]): Record<string, unknown>[] {
  return found.map((values) => {
    const row: Record<string, unknown> = {}
    let index = 0
    for (const column of columns) row[column] = (values as readonly unknown[])[index++]
    return row
  })
}

/** Refuses objects: SQLite would take a first object for named parameters, and put the others into wrong columns. */
export function sqliteValue(value: unknown): SQLInputValue {
  if (value === null || value instanceof Uint8Array) return value
  if (typeof value === "string" || typeof value === "number" || typeof value === "bigint") return value
  if (typeof value === "boolean") return value ? 1 : 0
  throw new TypeError(`A parameter of a query is ${typeof value}; SQLite takes text, numbers, bytes and null.`)
}

/** Runs a query that Kysely compiled. */
export function runQuery<Row>(connection: SqliteConnection, query: CompiledQuery<Row>): QueryResult<Row> {
  return resultOf<Row>(connection.run(query.sql, query.parameters))
}

function resultOf<Row>({ rows, changes }: StatementResult): QueryResult<Row> {
  return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
}

/** Rolls back a failed transaction. */
export function rollBack(connection: SqliteConnection): void {
  try {
    connection.run("rollback")
  } catch {
    // SQLite has already ended the transaction.
  }
}

/** Returns Kysely over `node:sqlite`. Its built-in dialect needs another library. */
export function sqliteKysely(connection: StatementRunner): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => driverOf(connection),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}

const adapter: DialectAdapter = {
  supportsCreateIfNotExists: true,
  supportsMultipleConnections: false,
  supportsTransactionalDdl: true,
  supportsReturning: true,
  // The `begin immediate` of a migration's transaction is the lock.
  acquireMigrationLock: async () => {},
  releaseMigrationLock: async () => {},
}

function driverOf(connection: StatementRunner): Driver {
  const kyselyConnection: DatabaseConnection = {
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Kysely's interface requires it
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      return resultOf<Row>(await connection.run(query.sql, query.parameters))
    },
    streamQuery() {
      throw new TypeError("Rows are not streamed: read them in pages.")
    },
  }
  return {
    init: async () => {},
    acquireConnection: async () => kyselyConnection,
    // Not a plain `begin`: two processes that read and then write would fail despite the busy timeout.
    beginTransaction: async () => void (await connection.run("begin immediate")),
    commitTransaction: async () => void (await connection.run("commit")),
    rollbackTransaction: async () => void (await connection.run("rollback")),
    releaseConnection: async () => {},
    destroy: async () => connection.close(),
  }
}
