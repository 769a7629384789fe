import type { SelectQueryBuilder } from "kysely"
import type { Queries } from "../../database/database.ts"
import type { Tables } from "../../database/tables.ts"
import type { RegistryContext } from "../../registry-context.ts"
import { defaultStorageOf } from "../../storages/default-storage.ts"
import { folderOf, storageOf, wholeOf } from "../../storages/storage-configuration.ts"
import { FILESET_COLUMNS, type FilesetRow } from "../fileset-row.ts"
import type { FilesetFolder } from "./trash.ts"

type FilesetSelect = SelectQueryBuilder<Tables, "filesets", FilesetRow>

/**
 * Removes the filesets that `pick` selects, all or none, with their bytes where they lie on the default storage. The
 * bytes go into the trash before the records go for good: nowhere between can a crash leave a folder to a fileset that
 * takes the name, and `settleTrash` gives back what was moved too early. Where there is no trash, what has to be deleted
 * is written down in the same transaction, and nobody takes the name before it is.
 */
export async function removeFilesets(
  context: RegistryContext,
  pick: (filesets: FilesetSelect) => FilesetSelect,
): Promise<readonly FilesetRow[]> {
  const { database, trash, removals, background } = context
  const moved = new Set<string>()
  let left: readonly FilesetRow[] = []
  try {
    return await database.write(async (queries) => {
      const selected = pick(queries.selectFrom("filesets").select(FILESET_COLUMNS))
      const rows = await selected.modifyEnd(database.dialect.forUpdate).execute()
      if (rows.length === 0) return rows
      const own = rows.filter(({ owns_bytes }) => owns_bytes === 1)
      const folders = own.flatMap((row) => foldersOf(row, context))
      for (const { id } of folders) moved.add(id)
      await trash?.put(folders)
      left = own.filter(({ id }) => !moved.has(id))
      if (left.length > 0) await queries.insertInto("removed_filesets").values(left.map(removedOf)).execute()
      const ids = rows.map(({ id }) => id)
      await queries.deleteFrom("filesets").where("id", "in", ids).execute()
      return rows
    })
  } finally {
    // Also where it failed: then what was moved goes back.
    background.start("settle the files of removed filesets", () => settleTrash(context, [...moved]))
    for (const _ of left) removals.wake()
  }
}

/** What the trash can take: nothing where there is none. */
function foldersOf(row: FilesetRow, { trash, defaultStorage }: RegistryContext): FilesetFolder[] {
  const storage = storageOf(wholeOf(row), defaultStorage)
  return trash !== undefined && storage.type === "local" ? [{ id: row.id, folder: storage.path }] : []
}

/** Under the name of its folder: that is what a later fileset must not get while files are left. */
function removedOf(row: FilesetRow) {
  const { id, workspace, storage_type, storage } = row
  return {
    id,
    workspace,
    name: folderOf(row),
    storage_type,
    storage: typeof storage === "string" ? storage : JSON.stringify(storage),
    leased_until: 0,
  }
}

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
