import type { AssayError } from "@assay/schemas"
import { sql, type RawBuilder } from "kysely"
import type { Database, Queries } from "../database/database.ts"

interface CreationErrors {
  /** The error if the name is taken. */
  readonly taken: () => AssayError
  /** The error if the workspace does not exist. */
  readonly missingParent?: () => AssayError
}

/**
 * Inserts a record and returns the result of `insert`. The database decides whether the name is free: of two concurrent
 * inserts, only one succeeds.
 */
export async function createRecord<T>(
  database: Database,
  insert: (queries: Queries) => Promise<T>,
  { taken, missingParent }: CreationErrors,
): Promise<T> {
  try {
    return await database.write(insert)
  } catch (error) {
    const failure = database.dialect.failureOf(error)
    if (failure === "taken") throw taken()
    if (failure === "missing_parent" && missingParent !== undefined) throw missingParent()
    throw error
  }
}

/** Returns the new `updated_at` of a row. It is always later than the old one, even within a millisecond. */
export function changeTime(now: number): RawBuilder<number> {
  return sql<number>`case when updated_at < ${now} then ${now} else updated_at + 1 end`
}
