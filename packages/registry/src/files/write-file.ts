import type { FilePath, Storage, StoredFile, WriteOptions } from "@assay/storage"
import { slot } from "../database/prepared-query.ts"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import type { RegistryContext } from "../registry-context.ts"
import { notFoundIn } from "../workspaces/not-found-in.ts"

export interface FileTarget {
  readonly fileset: FilesetRow
  readonly storage: Storage
  readonly path: FilePath
}

export type WriteFile = (
  target: FileTarget,
  bytes: AsyncIterable<Uint8Array>,
  options: WriteOptions | undefined,
) => Promise<StoredFile>

/**
 * Writes to a fileset that can be removed while the bytes arrive. The write would then make its folder again, for the
 * next fileset of that name to find.
 */
export function createWriteFile({ database }: RegistryContext): WriteFile {
  const byId = database.prepare((queries) =>
    queries.selectFrom("filesets").select("id").where("id", "=", slot<string>("id")),
  )
  return async ({ fileset, storage, path }, bytes, options) => {
    const written = await storage.write(path, bytes, options)
    const [row] = await byId.run({ id: fileset.id })
    if (row !== undefined) return written
    if (fileset.owns_bytes === 1) await storage.delete(path)
    throw await notFoundIn(database, fileset.workspace, "Fileset", fileset.name)
  }
}
