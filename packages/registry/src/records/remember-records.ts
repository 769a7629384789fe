import { keepRecent } from "../keep-recent.ts"

/** Maximum number of records. */
const MAX = 1000

/**
 * Returns a function that makes records of rows with `make`. For recently used rows it returns the same frozen object while
 * the row is unchanged. Every change increases `updated_at`, and a new record of the same name has another id.
 */
export function rememberRecords<Row extends { readonly id: string; readonly updated_at: number }, T extends object>(
  make: (row: Row) => T,
): (row: Row) => T {
  const kept = new Map<string, { readonly updatedAt: number; readonly record: T }>()
  return (row) => {
    const known = kept.get(row.id)
    if (known?.updatedAt === row.updated_at) return known.record
    const record = Object.freeze(make(row))
    keepRecent(kept, row.id, { updatedAt: row.updated_at, record }, MAX)
    return record
  }
}
