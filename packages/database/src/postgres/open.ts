import { sql } from "kysely"
import { checkMigrated, migrate, needsMigration, type MayMigrate } from "../migrations/migrate.ts"
import { fillSlots, type Database, type Queries, type Select, type WriteOptions } from "../database.ts"
import { CHANNEL } from "../notices.ts"
import { POSTGRES_DIALECT } from "./dialect.ts"
import { lockMigrations, postgresKysely } from "./kysely.ts"
import { createPostgresNotices } from "./listen.ts"
import { openConnections } from "./open-connections.ts"

interface PostgresOptions {
  readonly url: string
  /** The address for notices. Default: `url`. */
  readonly notifyUrl?: string | undefined
  /** Maximum number of connections, with those of the queue and the one that listens for notices. Default 10. */
  readonly maxConnections?: number
  /** Milliseconds that a statement waits for a lock. Default 5,000. */
  readonly lockWaitMs?: number
  /** Whether the schema is not migrated. */
  readonly guest?: boolean
  readonly mayMigrate: MayMigrate
  /** Called for broken connections. They are replaced. */
  readonly onBrokenConnection: (error: Error) => void
  /** Called when notices stop to arrive. */
  readonly onDeaf: (error: Error) => void
}

/**
 * Milliseconds after which PostgreSQL ends an idle transaction, so that a server that hangs or has lost its network does not
 * block the others with its locks.
 */
const STUCK_MS = 10_000

/** The name of our connections in `pg_stat_activity`. */
const APPLICATION = "assay"

/** The number of connections for notices. */
const LISTENING = 1

/** Milliseconds. A request that waits for a lock fails before most clients give up. */
const LOCK_WAIT_MS = 5000

/** Milliseconds that a query waits for a connection. */
const CONNECT_MS = 5000

/** Opens the database at `url`. It must exist. Any number of servers can share it. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { url, maxConnections = 10, lockWaitMs = LOCK_WAIT_MS, onBrokenConnection, onDeaf } = options
  const connections = openConnections({
    url,
    application: APPLICATION,
    max: Math.max(1, maxConnections - LISTENING),
    patienceMs: CONNECT_MS,
    onBroken: onBrokenConnection,
  })
  const limits = `set local idle_in_transaction_session_timeout = ${STUCK_MS}; set local lock_timeout = ${lockWaitMs}`
  const queries = postgresKysely(connections, limits)
  try {
    if (options.guest === true) await checkMigrated(queries)
    else if (await needsMigration(queries, { mayMigrate: options.mayMigrate, isShared: true }))
      await migratePatiently(queries)
  } catch (error) {
    await queries.destroy()
    throw error
  }

  const notices = createPostgresNotices({
    url: options.notifyUrl ?? url,
    application: APPLICATION,
    connections,
    onDeaf,
  })
  return {
    dialect: POSTGRES_DIALECT,
    read: (work) => work(queries),
    scan: undefined,
    write: (work, options = {}) =>
      options.isSingle === true ? work(queries) : writeOnce(queries, withSettings(work, options)),
    // A transaction with a record in the log takes all earlier ones to the disk with it.
    settle: async () => void (await sql`select pg_logical_emit_message(true, 'assay', '')`.execute(queries)),
    prepare(build) {
      const query = build(queries).compile()
      return { run: async (values = {}) => (await queries.executeQuery(fillSlots(query, values))).rows }
    },
    prepareTogether<A, B>(build: (queries: Queries) => readonly [Select<A>, Select<B>]) {
      const [first, second] = build(queries)
      // One statement sees one moment, and needs one round trip.
      const query = sql<{ a: A[]; b: B[] }>`select
        (select coalesce(json_agg(q), '[]') from (${first}) q) as a,
        (select coalesce(json_agg(q), '[]') from (${second}) q) as b`.compile(queries)
      return {
        async run(values = {}) {
          const { rows } = await queries.executeQuery(fillSlots(query, values))
          return [rows[0]?.a ?? [], rows[0]?.b ?? []] as const
        },
      }
    },
    notices,
    shared: {
      ...notices,
      notify: async (text) => void (await connections.query("select pg_notify($1, $2)", [CHANNEL, text])),
      executeSql: (text, values) => connections.query(text, values),
    },
    checkFiles: () => {},
    close: () => queries.destroy(),
  }
}

/** Migrates, and waits for another server that is migrating, for as long as it takes. */
async function migratePatiently(queries: Queries): Promise<void> {
  await queries.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = 0`.execute(transaction)
    await lockMigrations(transaction)
    await migrate(transaction, POSTGRES_DIALECT)
  })
}

/** Returns the same work with the settings of its transaction: a commit that does not wait for the disk, or no lock timeout. */
function withSettings<T>(
  work: (queries: Queries) => Promise<T>,
  { durable = true, patient = false }: WriteOptions,
): (queries: Queries) => Promise<T> {
  if (durable && !patient) return work
  return async (queries) => {
    if (!durable) await sql`set local synchronous_commit = off`.execute(queries)
    if (patient) await sql`set local lock_timeout = 0`.execute(queries)
    return work(queries)
  }
}

/** Maximum number of attempts for a transaction that ends in a deadlock. */
const ATTEMPTS = 5
const DEADLOCK = "40P01"

async function writeOnce<T>(queries: Queries, work: (queries: Queries) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await queries.transaction().execute(work)
    } catch (error) {
      const isDeadlock = error instanceof Error && "code" in error && error.code === DEADLOCK
      if (!isDeadlock || attempt === ATTEMPTS) throw error
    }
  }
}
