import { sql, type RawBuilder } from "kysely"

/** The new `updated_at` of a row: later than the one before, also within a millisecond. */
export function changeTime(now: number): RawBuilder<number> {
  return sql<number>`case when updated_at < ${now} then ${now} else updated_at + 1 end`
}
