import { AssayError } from "@assay/schemas"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import { createRecord } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import type { Tag } from "./history.ts"

/** Maximum number of tags of a fileset. A tagged commit keeps its list of files. */
const MAX_TAGS = 1000

export async function listTags(
  { database }: Pick<FilesetsContext, "database">,
  filesetId: string,
): Promise<readonly Tag[]> {
  const rows = await database.read((queries) =>
    queries
      .selectFrom("fileset_tags")
      .select(["name", "commit_id", "message"])
      .where("fileset_id", "=", filesetId)
      .orderBy("name")
      .execute(),
  )
  return rows.map(({ name, commit_id, message }) => ({ name, commit: commit_id, message }))
}

/** @throws `already_exists`, `too_large` */
export async function createTag(
  context: Pick<FilesetsContext, "database" | "now">,
  fileset: Pick<FilesetRow, "id" | "workspace" | "name">,
  { name, commit, message }: Tag,
): Promise<void> {
  const { database, now } = context
  if ((await listTags(context, fileset.id)).length >= MAX_TAGS) {
    const text = `Fileset '${fileset.workspace}/${fileset.name}' has ${MAX_TAGS} tags already; delete one first.`
    throw new AssayError("too_large", text)
  }
  const row = { fileset_id: fileset.id, name, commit_id: commit, message, created_at: now() }
  await createRecord(
    database,
    async (queries) => {
      await queries.insertInto("fileset_tags").values(row).execute()
    },
    {
      taken: () =>
        new AssayError("already_exists", `Tag '${name}' exists already; delete it first, or use another name.`),
    },
  )
}

/** @throws `not_found` */
export async function deleteTag(
  { database }: Pick<FilesetsContext, "database">,
  fileset: Pick<FilesetRow, "id" | "workspace" | "name">,
  name: string,
): Promise<void> {
  const rows = await database.write((queries) =>
    queries
      .deleteFrom("fileset_tags")
      .where((tag) => tag.and({ fileset_id: fileset.id, name }))
      .returning("name")
      .execute(),
  )
  if (rows.length > 0) return
  const message = `There is no tag '${name}' in '${fileset.workspace}/${fileset.name}'; list its refs.`
  throw new AssayError("not_found", message, {
    context: { workspace: fileset.workspace, fileset: fileset.name, revision: name },
  })
}
