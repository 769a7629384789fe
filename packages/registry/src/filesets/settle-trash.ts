import type { Queries } from "../database/database.ts"
import type { RegistryContext } from "../registry-context.ts"
import { defaultStorageOf } from "./default-storage.ts"
import { folderOf } from "./storage-of.ts"

/**
 * Decides about folders in the trash: those of filesets that are still there, since a removal did not come to its end,
 * go back; the others are deleted.
 */
export async function settleTrash(context: RegistryContext, ids: readonly string[]): Promise<void> {
  const { database, trash, defaultStorage } = context
  if (trash === undefined) return
  for (const id of ids) {
    const settle = async (queries: Queries) => {
      // A removal that another server is at holds the row: what it decides is waited for.
      const row = await queries
        .selectFrom("filesets")
        .select(["workspace", "name", "folder"])
        .where("id", "=", id)
        .modifyEnd(database.dialect.forUpdate)
        .executeTakeFirst()
      const home = row && defaultStorageOf(defaultStorage, row.workspace, folderOf(row))
      if (home?.type === "local") await trash.restore({ id, folder: home.path })
      return home !== undefined
    }
    const isThere = await database.write(settle, { patient: true })
    if (!isThere) await trash.empty(id)
  }
}
