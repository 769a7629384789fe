import type { Storage, StoredFile } from "@assay/storage"

export interface WriteWatcher {
  /** A file changed: now it begins to show, unless it failed half-way. */
  readonly onChange: () => void
  /** A file was written. */
  readonly onWrite: (file: StoredFile) => Promise<void>
}

/** The same storage, which tells of each change to its files. */
export function watchWrites(storage: Storage, { onChange, onWrite }: WriteWatcher): Storage {
  const told = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } finally {
      onChange()
    }
  }
  return {
    ...storage,
    async write(path, bytes, options) {
      const file = await told(storage.write(path, bytes, options))
      await onWrite(file)
      return file
    },
    delete: (path, options) => told(storage.delete(path, options)),
  }
}
