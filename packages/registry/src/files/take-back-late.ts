import { isAssayError } from "@assay/schemas"
import type { Storage, StoredFile } from "@assay/storage"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { RegistryContext } from "../registry-context.ts"
import type { FindFileset } from "../filesets/find-fileset.ts"

/**
 * Deletes a file again whose fileset was removed while it was written: it can have come after everything else was
 * deleted, and a fileset that takes the name must not find it. Answers whether that was so.
 */
export async function takeBackLate(
  { database }: Pick<RegistryContext, "database">,
  find: FindFileset,
  { id, workspace, name }: FilesetRow,
  storage: Storage,
  { path, etag }: StoredFile,
): Promise<boolean> {
  const fileset = await orMissing(find(workspace, name))
  if (fileset?.id === id) return false
  // It may have another name by now, and then it keeps the file.
  const isThere = await database.read((queries) =>
    queries.selectFrom("filesets").select("id").where("id", "=", id).executeTakeFirst(),
  )
  if (isThere !== undefined) return false
  const found = await orMissing(storage.stat(path))
  // Another one is of the fileset that has the name now.
  if (found?.etag === etag) await storage.delete(path)
  return true
}

async function orMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (isAssayError(error, "not_found")) return undefined
    throw error
  }
}
