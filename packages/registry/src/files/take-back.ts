import { isAssayError } from "@assay/schemas"
import type { Storage, StoredFile } from "@assay/storage"

/**
 * Deletes a file again whose fileset was removed while it was written: it can have come after everything else was deleted, and
 * a fileset that takes the name must not find it.
 */
export async function takeBack(storage: Storage, { path, etag }: StoredFile): Promise<void> {
  const found = await storage.stat(path).catch((error: unknown) => {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  })
  // Another one is of the fileset that has the name now.
  if (found?.etag === etag) await storage.delete(path)
}
