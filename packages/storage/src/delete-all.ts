import type { FilePath } from "./file-path.ts"
import type { Storage } from "./storage.ts"

export interface DeleteAllOptions {
  /** As in a listing: the file of that name and everything below the folder. Default: every file. */
  readonly prefix?: string | undefined
  /** How many files are deleted at a time. Default 16. */
  readonly parallel?: number | undefined
  readonly signal?: AbortSignal | undefined
}

/**
 * Deletes every file that a listing tells of, in as many requests at a time as are allowed; answers how many there were.
 * What fails ends it, and it can be called again for what is left.
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
