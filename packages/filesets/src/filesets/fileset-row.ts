import { formatTimestamp, maskUrlUsers, type Fileset } from "@assay/schemas"
import type { Selectable } from "kysely"
import { slot, parseJson, type FilesetTable, fold, foldJson, notFoundIn } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import { signatureFieldsOf } from "./fileset-signature.ts"
import { storageOf, type DefaultStorage } from "../storages/storage-configuration.ts"

/** The columns that a fileset record needs. */
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
  "signature",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof FilesetTable)[]

export type FilesetRow = Pick<Selectable<FilesetTable>, (typeof FILESET_COLUMNS)[number]>

/**
 * Returns the record in a row.
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
    // Old records can contain an address with a password. New ones are refused.
    storage: maskUrlUsers(storageOf(row, base)),
    metadata: parseJson(row.metadata),
    custom_fields: parseJson(row.custom_fields),
    project: row.project,
    created_at,
    updated_at: row.updated_at === row.created_at ? created_at : formatTimestamp(row.updated_at),
    ...signatureFieldsOf(row.signature),
  }
}

/** Returns the columns for each part of a record that can change: the value, and its folded form for `$like`. */
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

/** Finds a fileset by its address. @throws `not_found` about the fileset or its workspace */
export type FindFileset = (workspace: string, name: string) => Promise<FilesetRow>

export function createFindFileset({ database }: FilesetsContext): FindFileset {
  const query = database.prepare((queries) =>
    queries
      .selectFrom("filesets")
      .select(FILESET_COLUMNS)
      .where("workspace", "=", slot<string>("workspace"))
      .where("name", "=", slot<string>("name")),
  )
  return async (workspace, name) => {
    const [row] = await query.run({ workspace, name })
    if (row === undefined) throw await notFoundIn(database, workspace, "Fileset", name)
    return row
  }
}

/** Returns the present address of a fileset, which may have been renamed. Undefined if it is gone. */
export type LocateFileset = (id: string) => Promise<Pick<FilesetRow, "workspace" | "name" | "folder"> | undefined>

export function createLocateFileset({ database }: FilesetsContext): LocateFileset {
  const query = database.prepare((queries) =>
    queries.selectFrom("filesets").select(["workspace", "name", "folder"]).where("id", "=", slot<string>("id")),
  )
  return async (id) => (await query.run({ id }))[0]
}
