import type { ExactNumber } from "@assay/json"
import type { Filter } from "@assay/schemas"
import type { Expression, RawBuilder, SqlBool } from "kysely"
import type { Queries } from "./database.ts"

/** The reason of a failed statement, as far as the registry handles it. */
export type StatementFailure =
  | "taken"
  | "missing_parent"
  | "unstorable"
  | "unavailable"
  | "locked"
  | "disk_full"
  | "disk_failed"

export type OrderOperator = "<" | "<=" | ">" | ">="

/** A location in a JSON column. A comparison never matches a value of another type. */
export interface JsonPath {
  /** Matches if the value is missing or null. */
  isNull(): Expression<SqlBool>
  equals(value: string | number | ExactNumber | boolean): Expression<SqlBool>
  /** Text is ordered by code point, numbers by all of their digits. */
  isOrdered(operator: OrderOperator, value: string | number | ExactNumber): Expression<SqlBool>
  contains(part: string): Expression<SqlBool>
  /** The value if it is text. Null if it is anything else or missing. */
  text(): Expression<string | null>
}

/** A condition that includes all filesets that match a filter. */
export interface Candidates {
  readonly condition: Expression<SqlBool>
  /** Whether it is faster to read all candidates than to read filesets in order until a page is full. */
  readonly areFew: boolean
}

/** All SQL that differs between SQLite and PostgreSQL. */
export interface SqlDialect {
  readonly types: {
    /** Text that is compared and sorted by code point. */
    readonly text: RawBuilder<unknown>
    readonly json: RawBuilder<unknown>
    readonly bytes: RawBuilder<unknown>
    /** Integers up to 2^53. */
    readonly integer: RawBuilder<unknown>
    /** A primary key that numbers its rows. */
    readonly key: RawBuilder<unknown>
  }
  /** At the end of a table: stores its rows in the order of the primary key, if the database has this option. */
  readonly clustered: RawBuilder<unknown>
  /** Creates the indexes that only one database has, and the triggers that maintain `fileset_counts` and the search index. */
  finishSchema(queries: Queries): Promise<void>
  /** Makes the search index follow changed names. */
  indexRenames(queries: Queries): Promise<void>
  /** Creates the triggers that maintain `fileset_usage`. */
  countFiles(queries: Queries): Promise<void>
  /** Partitions `content_digests` by the hash of the path, if the database has partitions. */
  partitionDigests(queries: Queries): Promise<void>
  /**
   * Lets the records of files outlive their fileset. Triggers refuse records without a fileset (`missing_parent`), and note
   * removed filesets in `removed_fileset_records`.
   */
  detachFileRecords(queries: Queries): Promise<void>
  /** Adds new filesets to the search index in batches, if writing each of them would cost more the larger the index is. */
  searchInBatches(queries: Queries): Promise<void>
  /** Matches if `text` contains `part` exactly. */
  contains(text: Expression<unknown>, part: string): Expression<SqlBool>
  /** Returns text with its ASCII letters in lower case. */
  lower(text: Expression<unknown>): Expression<unknown>
  /** Returns a part of a text as bytes of UTF-8. `start` and `length` are in bytes. */
  bytesOf(text: Expression<unknown>, part: { readonly start: number; readonly length: number }): RawBuilder<Uint8Array>
  /** Returns a location in a JSON column. */
  json(column: Expression<unknown>, path: readonly string[]): JsonPath
  /**
   * Returns the candidates that the search index has for a filter. Undefined if it has none, or if the database uses the
   * index by itself.
   */
  candidates(queries: Queries, filter: Filter): Promise<Candidates | undefined>
  /** Returns a column for which no index is used. */
  unindexed(column: Expression<unknown>): Expression<unknown>
  /** The clock of a shared database, in milliseconds since 1970. Undefined: the server's own clock is used. */
  readonly clock: RawBuilder<number> | undefined
  /** Returns the elements of a JSON list as a table with the column `value`. */
  jsonElements(list: string | Expression<string>): RawBuilder<unknown>
  /** At the end of a select: locks its rows until the transaction ends. */
  readonly forUpdate: RawBuilder<unknown>
  /** Like `forUpdate`, but rows that another transaction has locked are not returned. */
  readonly forUpdateOfFree: RawBuilder<unknown>
  /** Like `forUpdate`, but records that reference its rows can be added in the meantime. */
  readonly forChange: RawBuilder<unknown>
  /** Returns one sentence for each kind of damage that the database finds in its own files. */
  findDamage(queries: Queries): Promise<readonly string[]>
  failureOf(error: unknown): StatementFailure | undefined
}
