import type { Fileset } from "@assay/schemas"
import { fold, foldJson } from "../fold.ts"

/** Returns the row of a fileset with all its values, including those that only the registry sets. */
export function rowOf({ storage, created_at, updated_at, metadata, custom_fields, ...fileset }: Fileset) {
  const { id, name, workspace, description, project, purpose } = fileset
  return {
    id,
    name,
    workspace,
    description,
    project,
    purpose,
    name_folded: fold(name),
    description_folded: fold(description),
    project_folded: fold(project),
    storage: JSON.stringify(storage),
    storage_type: storage.type,
    owns_bytes: 0,
    metadata: JSON.stringify(metadata),
    metadata_folded: foldedText(metadata),
    custom_fields: JSON.stringify(custom_fields),
    custom_fields_folded: foldedText(custom_fields),
    created_at: Date.parse(created_at),
    updated_at: Date.parse(updated_at),
  }
}

function foldedText(map: object): string | null {
  const folded = foldJson(map)
  return folded === null ? null : JSON.stringify(folded)
}
