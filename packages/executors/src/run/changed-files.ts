import { type FilePath, forEachParallel, type StoredFile } from "@assay/storage"

/** Small reads that are begun together: a bucket takes much longer to respond than to send. */
const READ_AT_ONCE = 16

interface KnownFile<T> {
  readonly etag: string | null
  readonly value: T
}

/** The values of files, of which only those that have changed are read again. */
export interface ChangedFiles<T> {
  /** Reads the listed files, and forgets all others. Files that can't be read are left out, and tried again the next time. */
  read(files: readonly Pick<StoredFile, "path" | "etag">[], signal?: AbortSignal): Promise<ReadonlyMap<FilePath, T>>
}

/**
 * Remembers the values of files by their versions. A look at a run of many shards then costs a listing, and a read for each shard that runs.
 * @param readOne returns undefined for a file that is not one of these
 */
export function createChangedFiles<T>(readOne: (path: FilePath) => Promise<T | undefined>): ChangedFiles<T> {
  let known = new Map<FilePath, KnownFile<T>>()
  return {
    async read(files, signal) {
      const next = new Map<FilePath, KnownFile<T>>()
      const changed = files.filter(({ path, etag }) => {
        const before = known.get(path)
        const isSame = before !== undefined && etag !== null && before.etag === etag
        if (isSame) next.set(path, before)
        return !isSame
      })
      await forEachParallel(changed, READ_AT_ONCE, async ({ path, etag }) => {
        signal?.throwIfAborted()
        const value = await readOne(path)
        if (value !== undefined) next.set(path, { etag, value })
      })
      known = next
      return new Map([...next].map(([path, { value }]) => [path, value]))
    },
  }
}
