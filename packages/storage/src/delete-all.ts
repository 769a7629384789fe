import type { FilePath } from "./file-path.ts"
import type { Storage } from "./storage.ts"

export interface DeleteAllOptions {
  /** As in a listing: the file `prefix` and everything below the folder. Default: every file. */
  readonly prefix?: string | undefined
  /** Number of files that are deleted at the same time. Default 16. */
  readonly parallel?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Deletes every listed file, several at a time, and returns their number. The first failure ends it. It can be called
 * again for the rest.
 */
export async function deleteAll(storage: Storage, options: DeleteAllOptions = {}): Promise<number> {
  const { prefix, parallel = 16, signal } = options
  const deleting = new Set<Promise<void>>()
  const failures: unknown[] = []
  let count = 0

  async function deleteOne(path: FilePath): Promise<void> {
    try {
      await storage.delete(path, { signal })
    } catch (error) {
      failures.push(error)
    }
  }

  for await (const { path } of storage.list({ prefix, signal })) {
    while (deleting.size >= parallel) await Promise.race(deleting)
    if (failures.length > 0) break
    const one = deleteOne(path).finally(() => deleting.delete(one))
    deleting.add(one)
    count += 1
  }
  await Promise.all(deleting)
  if (failures.length > 0) throw failures[0]
  return count
}
