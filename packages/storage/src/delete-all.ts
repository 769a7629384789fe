import { forEachParallel } from "./for-each-parallel.ts"
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
  let count = 0
  await forEachParallel(storage.list({ prefix, signal }), parallel, async ({ path }) => {
    count += 1
    await storage.delete(path, { signal })
  })
  return count
}
