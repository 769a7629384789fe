import type { Fileset } from "@assay/schemas"
import { fold, foldJson } from "../filter/fold.ts"

/** What each part of a record that can change is kept as: itself, and the form that `$like` searches in. */
export const COLUMNS_OF = {
  description: (description: string) => ({ description, description_folded: fold(description) }),
  project: (project: string) => ({ project, project_folded: fold(project) }),
  purpose: (purpose: Fileset["purpose"]) => ({ purpose }),
  metadata: (metadata: Fileset["metadata"]) => ({
    metadata: JSON.stringify(metadata),
    metadata_folded: foldedText(metadata),
  }),
  custom_fields: (custom_fields: Fileset["custom_fields"]) => ({
    custom_fields: JSON.stringify(custom_fields),
    custom_fields_folded: foldedText(custom_fields),
  }),
}

function foldedText(map: object): string | null {
  const folded = foldJson(map)
  return folded === null ? null : JSON.stringify(folded)
}
