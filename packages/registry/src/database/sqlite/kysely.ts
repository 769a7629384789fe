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
import type { Tables } from "../tables.ts"
import { runQuery, type SqliteConnection } from "./connection.ts"

/** Returns Kysely over `node:sqlite`. Its built-in dialect needs another library. */
export function sqliteKysely(connection: SqliteConnection): Kysely<Tables> {
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

function driverOf(connection: SqliteConnection): Driver {
  const kyselyConnection: DatabaseConnection = {
    // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- Kysely's interface requires it
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      return runQuery<Row>(connection, query)
    },
    streamQuery() {
      throw new TypeError("Rows are not streamed: read them in pages.")
    },
  }
  return {
    init: async () => {},
    acquireConnection: async () => kyselyConnection,
    // Not a plain `begin`: two processes that read and then write would fail despite the busy timeout.
    beginTransaction: async () => void connection.run("begin immediate"),
    commitTransaction: async () => void connection.run("commit"),
    rollbackTransaction: async () => void connection.run("rollback"),
    releaseConnection: async () => {},
    destroy: async () => connection.close(),
  }
}
