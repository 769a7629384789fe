import { AssayError, type CreateFileset, type Fileset } from "@assay/schemas"
import { checkStorable } from "../check-storable.ts"
import { createRecord } from "../database/create-record.ts"
import { fold } from "../filter/fold.ts"
import type { RegistryContext } from "../registry-context.ts"
import { workspaceMissing } from "../workspaces/workspace-errors.ts"
import { checkStorage } from "./check-storage.ts"
import { COLUMNS_OF } from "./columns-of.ts"
import { defaultStorageOf } from "./default-storage.ts"
import { filesetOf } from "./fileset-row.ts"

/**
 * Makes a fileset. `cache` asks to have bytes near before they are read, which local storage has anyway.
 * @throws `already_exists`, `invalid_request` where there is no such workspace, and what `checkStorage` throws
 */
export async function createFileset(
  context: RegistryContext,
  workspace: string,
  body: CreateFileset,
): Promise<Fileset> {
  checkStorable(body)
  const { database, now, newId, defaultStorage } = context
  const { name, description = "", project = "", purpose = "generic", metadata = {}, custom_fields = {} } = body
  const named = body.storage ?? undefined
  const storage =
    named === undefined
      ? defaultStorageOf(defaultStorage, workspace, name)
      : await checkStorage(named, workspace, context)
  const time = now()
  const row = {
    id: newId("fileset"),
    workspace,
    name,
    name_folded: fold(name),
    storage: JSON.stringify(storage),
    storage_type: storage.type,
    owns_bytes: named === undefined ? 1 : 0,
    ...COLUMNS_OF.description(description),
    ...COLUMNS_OF.project(project),
    ...COLUMNS_OF.purpose(purpose),
    ...COLUMNS_OF.metadata(metadata),
    ...COLUMNS_OF.custom_fields(custom_fields),
    created_at: time,
    updated_at: time,
  }
  await createRecord(database, (queries) => queries.insertInto("filesets").values(row), {
    taken: () => new AssayError("already_exists", `Fileset '${workspace}/${name}' already exists`),
    missingParent: () => workspaceMissing(workspace),
  })
  return filesetOf(row, defaultStorage)
}
