import type { AssayError } from "@assay/schemas"
import { sql, type RawBuilder } from "kysely"
import type { Database, Queries } from "../database/database.ts"

export interface CreationErrors {
  /** There is one of that name. */
  readonly taken: () => AssayError
  /** The workspace that it is to be made in is not there. */
  readonly missingParent?: () => AssayError
}

/** Inserts a record, and answers what `insert` does. That its name is free is for the database to say: two that ask at once can't both be told so. */
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

/** The new `updated_at` of a row: later than the one before, also within a millisecond. */
export function changeTime(now: number): RawBuilder<number> {
  return sql<number>`case when updated_at < ${now} then ${now} else updated_at + 1 end`
}
