import type { Fileset } from "@assay/schemas"
import { COLUMNS_OF } from "../filesets/fileset-row.ts"
import { fold } from "@assay/database"

/** Returns the row of a record with all its values, including those that only the registry sets. */
export function rowOf({ storage, created_at, updated_at, ...fileset }: Fileset) {
  const { id, name, workspace, description, project, purpose, metadata, custom_fields } = fileset
  return {
    id,
    name,
    name_folded: fold(name),
    workspace,
    storage: JSON.stringify(storage),
    storage_type: storage.type,
    owns_bytes: 0,
    ...COLUMNS_OF.description(description),
    ...COLUMNS_OF.project(project),
    ...COLUMNS_OF.purpose(purpose),
    ...COLUMNS_OF.metadata(metadata),
    ...COLUMNS_OF.custom_fields(custom_fields),
    created_at: Date.parse(created_at),
    updated_at: Date.parse(updated_at),
  }
}
