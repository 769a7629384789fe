import type { Fileset } from "@assay/schemas"
import type { DefaultStorage } from "./default-storage.ts"
import { filesetOf, type FilesetRow } from "./fileset-row.ts"

/** Records of the filesets that were asked for last. */
const MOST = 1000

/**
 * The record that a row holds: the same frozen object for as long as the row is the same. A change always moves
 * `updated_at` on, and a fileset that is made anew has another id.
 * @param base the server's default storage
 */
export function rememberFilesets(base: DefaultStorage): (row: FilesetRow) => Fileset {
  const kept = new Map<string, { readonly updatedAt: number; readonly fileset: Fileset }>()
  return (row) => {
    const known = kept.get(row.id)
    if (known?.updatedAt === row.updated_at) return known.fileset
    const fileset = Object.freeze(filesetOf(row, base))
    kept.delete(row.id)
    kept.set(row.id, { updatedAt: row.updated_at, fileset })
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST) break
      kept.delete(oldest)
    }
    return fileset
  }
}
