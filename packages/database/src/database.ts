import { sql, type Compilable, type CompiledQuery, type Expression, type Kysely, type RawBuilder } from "kysely"
import type { Notices } from "./notices.ts"
import type { SqlDialect } from "./sql-dialect.ts"
import type { Tables } from "./tables/tables.ts"

/** Builds and runs queries. */
export type Queries = Kysely<Tables>

/** A select that can be run, or be part of another one. */
export type Select<Row> = Compilable<Row> & Expression<Row>

export interface WriteOptions {
  /**
   * False: the write does not wait for the disk, and a power cut may undo it unless `settle` is called. A crash of the process does not
   * undo it. Default true.
   */
  readonly durable?: boolean
  /**
   * True: the write waits for records that another server has locked, for as long as it takes. For background work that
   * must not fail. Default false: it fails with `unavailable` after a few seconds.
   */
  readonly patient?: boolean
  /**
   * True: the write changes few rows. SQLite then keeps in memory what undoes its statements, and not in a file for each of them.
   * Default false.
   */
  readonly small?: boolean
  /**
   * True: the work is one statement, which is a transaction of its own. It needs one round trip instead of three, and waits for locks
   * as long as their holders may keep them. Default false.
   */
  readonly isSingle?: boolean
}

/** SQLite or PostgreSQL, with the newest schema. `dialect` contains everything that differs between them. */
export interface Database {
  readonly dialect: SqlDialect
  /** Runs queries that only read. They see all writes that have ended. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Like `read`, for queries that can visit every row: they run on another thread and see one moment. Undefined if the
   * database is a server, which runs all its queries elsewhere.
   * @throws `unavailable` if too many scans wait, or if a query takes very long
   */
  readonly scan: (<T>(work: (queries: Queries) => Promise<T>) => Promise<T>) | undefined
  /**
   * Runs `work` in a transaction and returns when it is durable. `work` can run more than once, so its other effects must
   * be repeatable.
   */
  write<T>(work: (queries: Queries) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Waits until the disk has all earlier writes that did not wait for it themselves. */
  settle(): Promise<void>
  /** Compiles a query that reads. Its `slot`s get their values at each run. */
  prepare<Row>(build: (queries: Queries) => Select<Row>): PreparedQuery<readonly Row[]>
  /** Compiles two queries that see the same moment. */
  prepareTogether<A, B>(
    build: (queries: Queries) => readonly [Select<A>, Select<B>],
  ): PreparedQuery<readonly [readonly A[], readonly B[]]>
  /** The database as other servers see it. Undefined if it belongs to this server alone. */
  readonly shared: SharedDatabase | undefined
  readonly notices: Notices
  /**
   * Checks that the files of the database are those that are open. SQLite goes on with files that were unlinked or cut short, and what it
   * writes is lost. Does nothing for a database server.
   * @throws `local_file_failed`
   */
  checkFiles(): void
  close(): Promise<void>
}

/** A database server that several servers use. The queue of jobs has its own tables there. */
export interface SharedDatabase extends Notices {
  /** Sends a short text to all servers. */
  notify(text: string): Promise<void>
  /** Runs statements in the dialect of the server on one of the connections of the registry. */
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>
}

export type SlotValues = Readonly<Record<string, string | number>>

/** A compiled query. Compiling a query costs about as much as running it. */
export interface PreparedQuery<Result> {
  run(values?: SlotValues): Promise<Result>
}

interface Slot {
  readonly slot: string
}

/** Returns a parameter of a prepared query that gets its value at each run. */
export function slot<T extends string | number>(name: string): RawBuilder<T> {
  const marker: Slot = { slot: name }
  return sql<T>`${marker}`
}

/** Returns a compiled query with the values of its slots. */
export function fillSlots<Row>(query: CompiledQuery<Row>, values: SlotValues): CompiledQuery<Row> {
  const fill = (parameter: unknown) => (isSlot(parameter) ? valueOf(parameter, values) : parameter)
  return { ...query, parameters: query.parameters.map(fill) }
}

function isSlot(parameter: unknown): parameter is Slot {
  return typeof parameter === "object" && parameter !== null && "slot" in parameter
}

function valueOf({ slot }: Slot, values: SlotValues): string | number {
  const value = values[slot]
  if (value === undefined) throw new TypeError(`The query's slot '${slot}' has no value.`)
  return value
}
