import { parseJsonExactly } from "@assay/json"
import { Pool, types, type CustomTypesConfig, type PoolClient, type QueryResult, type QueryResultRow } from "pg"

/** Connections to PostgreSQL that are kept open for the next query. */
export interface Connections {
  /** Returns a connection for the caller alone, until its `release` is called. */
  connect(): Promise<PoolClient>
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<QueryResult<Row>>
  /** Ends all connections, after the queries that run. */
  end(): Promise<void>
}

interface ConnectionsOptions {
  readonly url: string
  readonly application: string
  /** Maximum number of connections. */
  readonly max: number
  /** Milliseconds that a query waits for a connection. */
  readonly patienceMs: number
  /** Called for broken connections. They are replaced. */
  readonly onBroken: (error: Error) => void
}

/** The parsers of types. Counts and times are below 2^53; by default they would be text. Numbers in JSON keep their digits. */
const TYPES: CustomTypesConfig = {
  getTypeParser(id, format) {
    if (id === types.builtins.INT8) return Number
    return id === types.builtins.JSON ? parseJsonExactly : types.getTypeParser(id, format)
  },
}

interface Turn {
  readonly begin: () => void
  readonly fail: (error: Error) => void
}

/**
 * Opens connections when they are needed, one after the other. PostgreSQL starts a process for each, which costs as much as many
 * short queries. After a crash of it, or when servers start, all of them would open all their connections at the same time, and
 * their queries would wait for the last one. In this way most are done on connections that others have released meanwhile.
 */
export function openConnections(options: ConnectionsOptions): Connections {
  const { url, application, max, patienceMs, onBroken } = options
  const pool = new Pool({
    connectionString: url,
    application_name: application,
    max,
    connectionTimeoutMillis: patienceMs,
    types: TYPES,
  })
  const turns = createTurns(max, patienceMs)

  async function connect(): Promise<PoolClient> {
    await turns.take()
    try {
      return await pool.connect()
    } catch (error) {
      turns.failed(error as Error)
      throw error
    }
  }

  // The pool reports only errors of idle connections. An unhandled error of another connection would end the process.
  pool.on("connect", (client) => {
    client.on("error", onBroken)
    turns.opened()
  })
  pool.on("error", () => {})
  pool.on("remove", () => turns.removed())
  pool.on("release", () => turns.released())

  return {
    connect,
    async query<Row extends QueryResultRow>(text: string, values?: unknown[]) {
      const client = await connect()
      try {
        const result = await client.query<Row>(text, values)
        client.release()
        return result
      } catch (error) {
        // `text` may contain several statements. If one of them fails, the connection may be left in a transaction.
        client.release(error as Error)
        throw error
      }
    },
    end: () => pool.end(),
  }
}

/** The turns of queries for connections, of which one is opened at a time. */
interface Turns {
  /** Waits for a connection behind those that wait already. @throws an error in the words of the pool, if it takes too long */
  take(): Promise<void>
  /** Called when the connection of a turn could not be opened. */
  failed(error: Error): void
  /** Called when a connection was opened. */
  opened(): void
  /** Called when a connection was removed. */
  removed(): void
  /** Called when a connection was released, just before the pool keeps it. */
  released(): void
}

function createTurns(max: number, patienceMs: number): Turns {
  let opened = 0
  /** Those in use, and the one that is being opened. */
  let taken = 0
  const waiting = new Set<Turn>()
  const isFree = () => taken < Math.min(opened + 1, max)

  function admit(): void {
    for (const turn of waiting) {
      if (!isFree()) return
      waiting.delete(turn)
      taken += 1
      turn.begin()
    }
  }

  return {
    async take() {
      if (waiting.size === 0 && isFree()) {
        taken += 1
        return
      }
      const { promise, resolve: begin, reject: fail } = Promise.withResolvers<void>()
      const turn = { begin, fail }
      const timer = setTimeout(() => {
        waiting.delete(turn)
        fail(new Error("timeout exceeded when trying to connect"))
      }, patienceMs).unref()
      waiting.add(turn)
      await promise.finally(() => clearTimeout(timer))
    },
    failed(error) {
      taken -= 1
      if (opened > 0) return admit()
      // Without any connection, each of the others would meet the same.
      for (const { fail } of waiting) fail(error)
      waiting.clear()
    },
    opened() {
      opened += 1
      admit()
    },
    removed() {
      opened -= 1
    },
    released() {
      taken -= 1
      // The pool keeps the connection after this event.
      queueMicrotask(admit)
    },
  }
}
