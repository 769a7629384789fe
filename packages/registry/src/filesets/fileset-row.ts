import { formatTimestamp, type Fileset, type StorageConfiguration } from "@assay/schemas"
import type { Selectable } from "kysely"
import type { FilesetTable } from "../database/tables.ts"
import { defaultStorageOf } from "./default-storage.ts"

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
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof FilesetTable)[]

export type FilesetRow = Pick<Selectable<FilesetTable>, (typeof FILESET_COLUMNS)[number]>

/**
 * The record that a row holds.
 * @param base the server's default storage
 */
export function filesetOf(row: FilesetRow, base: StorageConfiguration): Fileset {
  const created_at = formatTimestamp(row.created_at)
  return {
    id: row.id,
    name: row.name,
    workspace: row.workspace,
    description: row.description,
    purpose: row.purpose,
    storage: storageOf(row, base),
    metadata: parseJson(row.metadata),
    custom_fields: parseJson(row.custom_fields),
    project: row.project,
    created_at,
    updated_at: row.updated_at === row.created_at ? created_at : formatTimestamp(row.updated_at),
  }
}

/** A data folder can be moved with all that is in it: what lies on local default storage is where that is now. */
function storageOf(row: FilesetRow, base: StorageConfiguration): StorageConfiguration {
  const isAtHome = row.owns_bytes === 1 && row.storage_type === "local" && base.type === "local"
  return isAtHome ? defaultStorageOf(base, row.workspace, row.name) : parseJson(row.storage)
}

/** A JSON column arrives as text from SQLite, and parsed from PostgreSQL. */
function parseJson<T extends object>(value: T | string): T {
  return typeof value === "string" ? JSON.parse(value) : value
}
