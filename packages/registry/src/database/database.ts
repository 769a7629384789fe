import type { Compilable, Expression, Kysely } from "kysely"
import type { PreparedQuery } from "./prepared-query.ts"
import type { SqlDialect } from "./sql-dialect.ts"
import type { Tables } from "./tables.ts"

/** What queries are built and run with. */
export type Queries = Kysely<Tables>

/** A select that can be run, or stand inside another one. */
export type Select<Row> = Compilable<Row> & Expression<Row>

export interface WriteOptions {
  /**
   * False for what a power cut may take back: the answer does not wait for the disk. A crash of the process alone loses
   * nothing. Default true.
   */
  readonly durable?: boolean
  /**
   * True for work in the background that must not fail because another server holds a record: it waits for as long as
   * that does. Default false: then it fails with `unavailable` after a few seconds.
   */
  readonly patient?: boolean
}

/**
 * SQLite or PostgreSQL, migrated to the newest schema. Whoever works on it needs not know which one it is: what they
 * spell differently is in `dialect`.
 */
export interface Database {
  readonly dialect: SqlDialect
  /** Runs queries that only read. What `write` has answered is seen. */
  read<T>(work: (queries: Queries) => Promise<T>): Promise<T>
  /**
   * Runs `work` in a transaction and answers when it is durable. All of it happens or nothing; it may be run again from
   * its beginning, so what it does besides must bear that.
   */
  write<T>(work: (queries: Queries) => Promise<T>, options?: WriteOptions): Promise<T>
  /** Compiles a query that reads and whose `slot`s are filled at each run. */
  prepare<Row>(build: (queries: Queries) => Select<Row>): PreparedQuery<readonly Row[]>
  /** Compiles two of them that see the same moment. */
  prepareTogether<A, B>(
    build: (queries: Queries) => readonly [Select<A>, Select<B>],
  ): PreparedQuery<readonly [readonly A[], readonly B[]]>
  close(): Promise<void>
}
