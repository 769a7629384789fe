import { formatTimestamp, type Workspace } from "@assay/schemas"
import type { Selectable } from "kysely"
import type { WorkspaceTable } from "../database/tables.ts"

/** The record that a row holds. */
export function workspaceOf({ id, name, description, created_at, updated_at }: Selectable<WorkspaceTable>): Workspace {
  return {
    id,
    name,
    description,
    created_at: formatTimestamp(created_at),
    updated_at: formatTimestamp(updated_at),
  }
}
