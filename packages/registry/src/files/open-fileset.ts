import { createPathLocks, openStorage, type Storage } from "@assay/storage"
import { filesetOf, type FilesetRow } from "../filesets/fileset-row.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { DigestIndexes } from "./digest-indexes.ts"

/** Opens the storage of a fileset. */
export type OpenFileset = (row: FilesetRow) => Promise<Storage>

/** Filesets whose storage is kept open. */
const MOST_OPEN = 1000

/** Keeps storages open that were used last: a fileset never changes its storage. */
export function createOpenFileset(context: RegistryContext, digestsOf: DigestIndexes): OpenFileset {
  const locks = createPathLocks()
  const newId = () => context.newId("upload")
  const opened = new Map<string, Promise<Storage>>()

  async function open(row: FilesetRow): Promise<Storage> {
    const { storage } = filesetOf(row, context.defaultStorage)
    return (await openStorage(storage, { digests: digestsOf(row.id), locks, newId })).storage
  }

  return (row) => {
    const known = opened.get(row.id)
    if (known !== undefined) return known
    const storage = open(row)
    opened.set(row.id, storage)
    // A failure is not kept: what was wrong can be right the next time.
    storage.catch(() => opened.delete(row.id))
    for (const id of opened.keys()) {
      if (opened.size <= MOST_OPEN) break
      opened.delete(id)
    }
    return storage
  }
}
