import type { Filter } from "@assay/schemas"
import type { Expression, RawBuilder, SqlBool } from "kysely"
import type { Queries } from "./database.ts"

/** What a failed statement ran into, where the registry has an answer to it. */
export type StatementFailure = "taken" | "missing_parent" | "unstorable" | "unavailable" | "locked" | "disk_full"

export type OrderOperator = "<" | "<=" | ">" | ">="

/** A place below a JSON column. A comparison is never satisfied by a value of another type. */
export interface JsonPlace {
  /** The value is missing or null. */
  isNull(): Expression<SqlBool>
  equals(value: string | number | boolean): Expression<SqlBool>
  /** Text is ordered by code point. */
  isOrdered(operator: OrderOperator, value: string | number): Expression<SqlBool>
  contains(part: string): Expression<SqlBool>
}

/** Filesets among which all are that satisfy a filter. */
export interface Candidates {
  readonly condition: Expression<SqlBool>
  /** Whether it is quicker to look at all of them than to go through filesets in order until a page is full. */
  readonly areFew: boolean
}

/** Everything that SQLite and PostgreSQL spell differently. */
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
  /** At the end of a table: its rows are kept in the order of the primary key, where there is a choice. */
  readonly clustered: RawBuilder<unknown>
  /** Makes the indexes that only one database has, and the triggers that keep `fileset_counts` and the search index. */
  finishSchema(queries: Queries): Promise<void>
  /** Has the search index follow names that change. */
  indexRenames(queries: Queries): Promise<void>
  /** Whether `text` contains `part`, letter by letter. */
  contains(text: Expression<unknown>, part: string): Expression<SqlBool>
  /** Text of ASCII letters in lower case. */
  lower(text: Expression<unknown>): Expression<unknown>
  /** A place below the JSON that `column` holds. */
  json(column: Expression<unknown>, path: readonly string[]): JsonPlace
  /**
   * What the search index knows about a filter. Undefined where that is nothing, and where the database makes use of the
   * index by itself.
   */
  candidates(queries: Queries, filter: Filter): Promise<Candidates | undefined>
  /** A column of which no index is used. */
  unindexed(column: Expression<unknown>): Expression<unknown>
  /** The clock of a database that servers share, in milliseconds since 1970. Undefined: the server's own clock counts. */
  readonly clock: RawBuilder<number> | undefined
  /** At the end of a select in a transaction: others can't change its rows before the transaction ends. */
  readonly forUpdate: RawBuilder<unknown>
  /** What the database finds wrong with its own files, a sentence each; none where all is well. */
  findDamage(queries: Queries): Promise<readonly string[]>
  failureOf(error: unknown): StatementFailure | undefined
}
