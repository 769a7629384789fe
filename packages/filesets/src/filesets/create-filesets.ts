import { formatTimestamp, type RemovedFileset } from "@assay/schemas"
import type { Warmups } from "../cache/create-warmups.ts"
import { checkWorkspace, workspaceNotFound, rememberRecords } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import type { Filesets } from "./filesets.ts"
import type { SecretRights } from "../storages/secret-rights.ts"
import { createFileset } from "./create-fileset.ts"
import { FILESET_COLUMNS, filesetOf, type FilesetRow, type FindFileset } from "./fileset-row.ts"
import { createListFilesets } from "./list/list-filesets.ts"
import { scopeOf } from "./list/page-plan.ts"
import { removeFilesets } from "./removal/remove-filesets.ts"
import { readWholeUsage } from "./stored-bytes.ts"
import { updateFileset } from "./update-fileset.ts"

/** Creates the filesets for callers with different rights to secrets. */
export function createFilesets(
  context: FilesetsContext,
  find: FindFileset,
  warmups: Warmups | undefined,
): (rights: SecretRights, author: string | undefined) => Filesets {
  const { database, defaultStorage } = context
  const listFilesets = createListFilesets(context)
  const remembered = rememberRecords((row: FilesetRow) => filesetOf(row, defaultStorage))

  const filesets: Omit<Filesets, "create" | "remove"> = {
    async list(workspace, query, visible) {
      if (workspace !== undefined && visible !== "all" && !visible.includes(workspace))
        throw workspaceNotFound(workspace)
      const page = await listFilesets(scopeOf(workspace, visible), query)
      // A workspace with filesets exists. Others have to be looked up.
      if (workspace !== undefined && page.data.length === 0) {
        await database.read((queries) => checkWorkspace(queries, workspace))
      }
      return page
    },

    usage: (filesets) =>
      readWholeUsage(
        database,
        filesets.map(({ id }) => id),
      ),

    get: async (workspace, name) => remembered(await find(workspace, name)),

    async find(id) {
      const row = await database.read((queries) =>
        queries.selectFrom("filesets").select(FILESET_COLUMNS).where("id", "=", id).executeTakeFirst(),
      )
      return row && remembered(row)
    },

    async update(workspace, name, body) {
      const row = await updateFileset(context, { workspace, name }, body)
      return filesetOf(row ?? (await find(workspace, name)), defaultStorage)
    },
  }

  async function remove(workspace: string, name: string, by: string | undefined): Promise<RemovedFileset> {
    for (;;) {
      const { rows, keeping } = await removeFilesets(
        context,
        (filesets) => filesets.where("workspace", "=", workspace).where("name", "=", name),
        { by },
      )
      const [row] = rows
      const restorable_until = keeping === undefined ? null : formatTimestamp(keeping.until)
      if (row !== undefined) return { ...filesetOf(row, defaultStorage), restorable_until }
      // This throws, unless the fileset was made just now.
      await find(workspace, name)
    }
  }

  return (rights, author = "") => ({
    ...filesets,
    remove: async (workspace, name, { permanent = false } = {}) =>
      remove(workspace, name, permanent ? undefined : author),
    create: (workspace, body, options = {}) => createFileset(context, workspace, body, { rights, warmups, ...options }),
  })
}
