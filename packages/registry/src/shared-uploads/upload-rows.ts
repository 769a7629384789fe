import { AssayError } from "@assay/schemas"
import { parseFilePath, type FilePath, type Storage } from "@assay/storage"
import type { Selectable } from "kysely"
import type { Queries } from "../database/database.ts"
import type { UploadTable } from "../database/upload-tables.ts"
import type { RegistryContext } from "../registry-context.ts"

export interface SharedUploadsContext extends Pick<RegistryContext, "database" | "now" | "newId"> {
  readonly openDefaultStorage: () => Promise<Storage>
  /** Milliseconds without a new byte after which an upload expires. */
  readonly lifetimeMs: number
}

export type UploadRow = Selectable<UploadTable>

/** A piece of an upload on the default storage. */
export interface StoredPiece {
  /** Offset of its first byte in the file. */
  readonly start: number
  readonly size: number
  readonly path: FilePath
}

/** The folder on the default storage with a folder for each upload. */
export const UPLOADS_FOLDER = "uploads/"

/** Returns the folder of an upload on the default storage. */
export function uploadFolder(id: string): string {
  return `${UPLOADS_FOLDER}${id}/`
}

/** Returns the path of a new piece. No two requests write the same path, so a piece never changes. */
export function newPiecePath({ newId }: SharedUploadsContext, id: string): FilePath {
  return parseFilePath(`${uploadFolder(id)}${newId("piece")}`)
}

export async function addUpload(
  { database }: SharedUploadsContext,
  row: Omit<UploadRow, "received" | "completed" | "lease" | "leased_until">,
): Promise<UploadRow> {
  const added = { ...row, received: 0, completed: 0, lease: "", leased_until: 0 }
  await database.write((queries) => queries.insertInto("uploads").values(added).execute())
  return added
}

export async function findUpload({ database }: SharedUploadsContext, id: string): Promise<UploadRow | undefined> {
  return database.read((queries) => selectUpload(queries, id).executeTakeFirst())
}

export function selectUpload(queries: Queries, id: string) {
  return queries.selectFrom("uploads").selectAll().where("id", "=", id)
}

export async function listPieces({ database }: SharedUploadsContext, id: string): Promise<readonly StoredPiece[]> {
  const rows = await database.read((queries) =>
    queries
      .selectFrom("upload_pieces")
      .select(["start", "size", "path"])
      .where("upload_id", "=", id)
      .orderBy("start")
      .execute(),
  )
  return rows.map(({ start, size, path }) => ({ start, size, path: parseFilePath(path) }))
}

/** Databases limit the number of parameters of a statement. */
const BATCH = 1000

/** Adds pieces, and replaces those with the same start. Returns the paths of the pieces that were replaced. */
export async function putPieces(
  queries: Queries,
  id: string,
  pieces: readonly StoredPiece[],
): Promise<readonly FilePath[]> {
  const replaced: FilePath[] = []
  for (let first = 0; first < pieces.length; first += BATCH) {
    const some = pieces.slice(first, first + BATCH)
    const starts = some.map(({ start }) => start)
    const rows = await queries
      .deleteFrom("upload_pieces")
      .where("upload_id", "=", id)
      .where("start", "in", starts)
      .returning("path")
      .execute()
    replaced.push(...rows.map(({ path }) => parseFilePath(path)))
    await queries
      .insertInto("upload_pieces")
      .values(some.map((piece) => ({ upload_id: id, ...piece })))
      .execute()
  }
  return replaced
}

/** Removes the pieces from `start` on. Returns their paths. */
export async function dropPieces(queries: Queries, id: string, start: number): Promise<readonly FilePath[]> {
  const dropped = await queries
    .deleteFrom("upload_pieces")
    .where("upload_id", "=", id)
    .where("start", ">=", start)
    .returning("path")
    .execute()
  return dropped.map(({ path }) => parseFilePath(path))
}

/** Deletes pieces that records no longer name. A failure is ignored: the sweep deletes the folder of the upload. */
export async function deletePieces(storage: Storage, paths: readonly FilePath[]): Promise<void> {
  for (const path of paths) await storage.delete(path).catch(() => {})
}

/** Returns the error if the bytes of an upload are not on the default storage, for example after a restore. */
export function bytesGone(id: string, cause?: unknown): AssayError {
  const message = `Bytes of upload '${id}' are not on the default storage; start a new upload.`
  return new AssayError("upload_gone", message, { cause })
}
