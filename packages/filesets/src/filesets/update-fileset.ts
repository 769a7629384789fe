import { AssayError, type UpdateFileset } from "@assay/schemas"
import {
  type Queries,
  type SqlDialect,
  fold,
  changeTime,
  checkFreeForm,
  checkStorable,
  createRecord,
} from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import { folderOf } from "../storages/storage-configuration.ts"
import { nameTaken } from "./create-fileset.ts"
import { COLUMNS_OF, FILESET_COLUMNS, type FilesetRow } from "./fileset-row.ts"

interface FilesetAddress {
  readonly workspace: string
  readonly name: string
}

/**
 * Replaces the values that `body` names. Null empties a value. Returns undefined if it names none, or if there is no such
 * fileset. A renamed fileset keeps its files in the same folder, so reads and writes in progress continue.
 * @throws `already_exists` if another fileset has the name, `in_use` for the results of a job
 */
export async function updateFileset(
  { database, now }: FilesetsContext,
  address: FilesetAddress,
  body: UpdateFileset,
): Promise<FilesetRow | undefined> {
  checkFreeForm(body)
  checkStorable(body)
  const { description, project, purpose, metadata, custom_fields } = body
  const name = body.name === address.name ? undefined : body.name
  const changes = {
    ...(description === undefined ? {} : COLUMNS_OF.description(description ?? "")),
    ...(project === undefined ? {} : COLUMNS_OF.project(project ?? "")),
    ...(purpose === undefined ? {} : COLUMNS_OF.purpose(purpose)),
    ...(metadata === undefined ? {} : COLUMNS_OF.metadata(metadata ?? {})),
    ...(custom_fields === undefined ? {} : COLUMNS_OF.custom_fields(custom_fields ?? {})),
  }
  if (name === undefined && Object.keys(changes).length === 0) return undefined
  const update = async (queries: Queries) => {
    const renamed =
      name === undefined ? {} : await rename({ queries, forUpdate: database.dialect.forUpdate }, address, name)
    return queries
      .updateTable("filesets")
      .set({ ...changes, ...renamed, updated_at: changeTime(now()) })
      .where("workspace", "=", address.workspace)
      .where("name", "=", address.name)
      .returning(FILESET_COLUMNS)
      .executeTakeFirst()
  }
  return createRecord(database, update, { taken: () => nameTaken(address.workspace, name ?? address.name) })
}

/** Returns the columns for another name, with the folder that keeps the files. Updates the models that name the fileset. */
async function rename(
  { queries, forUpdate }: { readonly queries: Queries; readonly forUpdate: SqlDialect["forUpdate"] },
  { workspace, name: old }: FilesetAddress,
  name: string,
) {
  const row = await queries
    .selectFrom("filesets")
    .select(FILESET_COLUMNS)
    .where("workspace", "=", workspace)
    .where("name", "=", old)
    .modifyEnd(forUpdate)
    .executeTakeFirst()
  if (row === undefined) return {}
  if (row.subfolder !== "") {
    const message = `Fileset '${workspace}/${old}' holds the results of an evaluation job, which finds them by this name; copy it to another name instead.`
    throw new AssayError("in_use", message, { context: { workspace, fileset: old } })
  }
  await queries
    .updateTable("models")
    .set({ fileset: `${workspace}/${name}` })
    .where("fileset", "=", `${workspace}/${old}`)
    .execute()
  const location = row.owns_bytes === 1 ? { folder: folderOf(row) } : {}
  return { name, name_folded: fold(name), ...location }
}
