import type { SelectQueryBuilder } from "kysely"
import type { Tables } from "../database/tables.ts"
import type { RegistryContext } from "../registry-context.ts"
import { FILESET_COLUMNS, filesetOf, type FilesetRow } from "./fileset-row.ts"
import { settleTrash } from "./settle-trash.ts"
import type { FilesetFolder } from "./trash.ts"

type FilesetSelect = SelectQueryBuilder<Tables, "filesets", FilesetRow>

/**
 * Removes the filesets that `pick` selects, all or none, with their bytes where they lie on the default storage. The
 * bytes go into the trash before the records go for good: nowhere between can a crash leave a folder to a fileset that
 * takes the name, and `settleTrash` gives back what was moved too early.
 */
export async function removeFilesets(
  context: RegistryContext,
  pick: (filesets: FilesetSelect) => FilesetSelect,
): Promise<readonly FilesetRow[]> {
  const { database, trash, background } = context
  const moved = new Set<string>()
  try {
    return await database.write(async (queries) => {
      const selected = pick(queries.selectFrom("filesets").select(FILESET_COLUMNS))
      const rows = await selected.modifyEnd(database.dialect.forUpdate).execute()
      if (rows.length === 0) return rows
      const folders = rows.flatMap((row) => foldersOf(row, context))
      for (const { id } of folders) moved.add(id)
      await trash?.put(folders)
      const ids = rows.map(({ id }) => id)
      await queries.deleteFrom("filesets").where("id", "in", ids).execute()
      return rows
    })
  } finally {
    // Also where it failed: then what was moved goes back.
    background.start("settle the files of removed filesets", () => settleTrash(context, [...moved]))
  }
}

function foldersOf(row: FilesetRow, { defaultStorage }: RegistryContext): FilesetFolder[] {
  const { storage } = filesetOf(row, defaultStorage)
  return row.owns_bytes === 1 && storage.type === "local" ? [{ id: row.id, folder: storage.path }] : []
}
