import type { UpdateFileset } from "@assay/schemas"
import { checkFreeForm } from "../check-free-form.ts"
import { checkStorable } from "../check-storable.ts"
import { changeTime } from "../database/change-time.ts"
import type { RegistryContext } from "../registry-context.ts"
import { COLUMNS_OF } from "./columns-of.ts"
import { FILESET_COLUMNS, type FilesetRow } from "./fileset-row.ts"

/** Replaces the values that `body` names; null empties them. Answers undefined where it names none, and where there is no such fileset. */
export async function updateFileset(
  { database, now }: RegistryContext,
  address: { readonly workspace: string; readonly name: string },
  body: UpdateFileset,
): Promise<FilesetRow | undefined> {
  checkFreeForm(body)
  checkStorable(body)
  const { description, project, purpose, metadata, custom_fields } = body
  const changes = {
    ...(description === undefined ? {} : COLUMNS_OF.description(description ?? "")),
    ...(project === undefined ? {} : COLUMNS_OF.project(project ?? "")),
    ...(purpose === undefined ? {} : COLUMNS_OF.purpose(purpose)),
    ...(metadata === undefined ? {} : COLUMNS_OF.metadata(metadata ?? {})),
    ...(custom_fields === undefined ? {} : COLUMNS_OF.custom_fields(custom_fields ?? {})),
  }
  if (Object.keys(changes).length === 0) return undefined
  return database.write((queries) =>
    queries
      .updateTable("filesets")
      .set({ ...changes, updated_at: changeTime(now()) })
      .where("workspace", "=", address.workspace)
      .where("name", "=", address.name)
      .returning(FILESET_COLUMNS)
      .executeTakeFirst(),
  )
}
