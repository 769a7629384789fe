/** Records that are kept at most. */
const MAX = 1000

/**
 * The record that `make` makes of a row: the same frozen object for as long as the row is the same, for those that were
 * asked for last. A change always moves `updated_at` on, and a record that is made anew has another id.
 */
export function rememberRecords<Row extends { readonly id: string; readonly updated_at: number }, T extends object>(
  make: (row: Row) => T,
): (row: Row) => T {
  const kept = new Map<string, { readonly updatedAt: number; readonly record: T }>()
  return (row) => {
    const known = kept.get(row.id)
    if (known?.updatedAt === row.updated_at) return known.record
    const record = Object.freeze(make(row))
    kept.delete(row.id)
    kept.set(row.id, { updatedAt: row.updated_at, record })
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX) break
      kept.delete(oldest)
    }
    return record
  }
}
