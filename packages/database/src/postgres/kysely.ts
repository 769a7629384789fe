import {
  CompiledQuery,
  Kysely,
  PostgresAdapter,
  PostgresDriver,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from "kysely"
import type { Tables } from "../tables/tables.ts"
import type { Connections } from "./open-connections.ts"

/** Waits for the migration of another server. The lock ends with the transaction. Its number is that of Kysely's own lock. */
export async function lockMigrations(transaction: Kysely<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(3853314791062309107)`.execute(transaction)
}

/** Returns Kysely over connections. `settings` are statements at the beginning of each transaction, in the same round trip. */
export function postgresKysely(connections: Connections, settings: string): Kysely<Tables> {
  const begin = CompiledQuery.raw(`begin; ${settings}`)
  const pool = { connect: () => connections.connect(), end: () => connections.end(), options: {} }
  // A pooler gives each transaction any connection, so settings and locks of a session would reach other transactions.
  const driver = Object.assign(new PostgresDriver({ pool }), {
    beginTransaction: async (connection: { executeQuery(query: CompiledQuery): Promise<unknown> }) =>
      void (await connection.executeQuery(begin)),
  })
  // Migrations run in one transaction, which holds `lockMigrations`.
  const adapter = Object.assign(new PostgresAdapter(), {
    acquireMigrationLock: async () => {},
    releaseMigrationLock: async () => {},
  })
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => adapter,
      createDriver: () => driver,
      createIntrospector: (queries) => new PostgresIntrospector(queries),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
}
