import { formatTimestamp, maskUrlUsers, type Fileset } from "@assay/schemas"
import type { Selectable } from "kysely"
import type { FilesetTable } from "../database/tables.ts"
import type { DefaultStorage } from "./default-storage.ts"
import { parseJson } from "./parse-json.ts"
import { storageOf } from "./storage-of.ts"

/** The columns of which a record is made. */
export const FILESET_COLUMNS = [
  "id",
  "name",
  "workspace",
  "description",
  "purpose",
  "storage_type",
  "storage",
  "metadata",
  "custom_fields",
  "project",
  "owns_bytes",
  "subfolder",
  "folder",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof FilesetTable)[]

export type FilesetRow = Pick<Selectable<FilesetTable>, (typeof FILESET_COLUMNS)[number]>

/**
 * The record that a row holds.
 * @param base the server's default storage
 */
export function filesetOf(row: FilesetRow, base: DefaultStorage): Fileset {
  const created_at = formatTimestamp(row.created_at)
  return {
    id: row.id,
    name: row.name,
    workspace: row.workspace,
    description: row.description,
    purpose: row.purpose,
    // Records of before may hold an address with a password, which is refused now.
    storage: maskUrlUsers(storageOf(row, base)),
    metadata: parseJson(row.metadata),
    custom_fields: parseJson(row.custom_fields),
    project: row.project,
    created_at,
    updated_at: row.updated_at === row.created_at ? created_at : formatTimestamp(row.updated_at),
  }
}
