import { AssayError } from "@assay/schemas"
import { forEachParallel, type FilePath, type Storage } from "@assay/storage"
import { sql, type Expression, type Selectable } from "kysely"
import { databaseTime, type Database, type Queries, type UploadTable } from "@assay/database"
import type { PieceStorage } from "./pieces/piece-storage.ts"

export interface UploadsContext {
  readonly database: Database
  /** Returns a new id that begins with `prefix` and a hyphen. */
  readonly newId: (prefix: string) => string
  /** The clock of uploads in an embedded database: a jump of the machine's clock ends nothing early. */
  readonly now: () => number
  readonly pieces: PieceStorage
  /** Milliseconds without a new byte after which an upload expires. */
  readonly lifetimeMs: number
}

export type UploadRow = Selectable<UploadTable>

/** A piece of an upload on its storage. */
export interface StoredPiece {
  /** Offset of its first byte in the file. */
  readonly start: number
  readonly size: number
  readonly path: FilePath
}

/** Returns the time that leases use, in some milliseconds. A statement with it needs no round trip for the time alone. */
export function timeAfter(context: Pick<UploadsContext, "database" | "now">, ms: number): Expression<number> {
  return sql<number>`${databaseTime(context)} + ${ms}`
}

/** @param durable whether a power failure must not undo it. A crash of the process never does. */
export async function addUpload(
  context: UploadsContext,
  row: Omit<UploadRow, "received" | "completed" | "expires_at" | "lease" | "leased_until">,
  { durable }: { readonly durable: boolean },
): Promise<UploadRow> {
  const expires_at = timeAfter(context, context.lifetimeMs)
  return context.database.write(
    (queries) =>
      queries
        .insertInto("uploads")
        .values({ ...row, expires_at, received: 0, completed: 0, lease: "", leased_until: 0 })
        .returningAll()
        .executeTakeFirstOrThrow(),
    { durable, small: true, isSingle: true },
  )
}

export async function findUpload({ database }: UploadsContext, id: string): Promise<UploadRow | undefined> {
  return database.read((queries) => queries.selectFrom("uploads").selectAll().where("id", "=", id).executeTakeFirst())
}

export async function listPieces({ database }: UploadsContext, id: string): Promise<readonly StoredPiece[]> {
  const rows = await database.read((queries) =>
    queries
      .selectFrom("upload_pieces")
      .select(["start", "size", "path"])
      .where("upload_id", "=", id)
      .orderBy("start")
      .execute(),
  )
  return rows
}

/** Databases limit the number of parameters of a statement. */
const BATCH = 1000

/** Adds pieces. One with the start of a known piece is that piece, which has grown. */
export async function addPieces(queries: Queries, id: string, pieces: readonly StoredPiece[]): Promise<void> {
  for (let first = 0; first < pieces.length; first += BATCH) {
    const rows = pieces.slice(first, first + BATCH).map((piece) => ({ upload_id: id, ...piece }))
    await queries
      .insertInto("upload_pieces")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["upload_id", "start"]).doUpdateSet((piece) => ({ size: piece.ref("excluded.size") })),
      )
      .execute()
  }
}

/** Removes the pieces from `start` on, and before `end` if it is given. Returns their paths. */
export async function dropPieces(queries: Queries, id: string, start: number, end = Infinity): Promise<FilePath[]> {
  const dropped = await queries
    .deleteFrom("upload_pieces")
    .where("upload_id", "=", id)
    .where("start", ">=", start)
    .$if(end !== Infinity, (query) => query.where("start", "<", end))
    .returning("path")
    .execute()
  return dropped.map(({ path }) => path)
}

/** Deletes pieces that no record names. A failure is ignored: the sweep deletes them later. */
export async function deletePieces(storage: Storage, paths: Iterable<FilePath>): Promise<void> {
  await forEachParallel(paths, 16, (path) => storage.delete(path).catch(() => {}))
}

/** Removes the record of an upload. Returns the paths of its pieces, which no record names then. */
export async function removeRecord(queries: Queries, id: string): Promise<readonly FilePath[]> {
  const paths = await dropPieces(queries, id, 0)
  await queries.deleteFrom("uploads").where("id", "=", id).execute()
  return paths
}

/** Removes an upload. The record goes first: the sweep deletes pieces without a record. */
export async function removeUpload({ database, pieces }: UploadsContext, id: string): Promise<void> {
  const paths = await database.write((queries) => removeRecord(queries, id), { small: true })
  await deletePieces(await pieces.open(), paths)
}

/** Returns the error for a request to an upload that does not exist. */
export function unknownUpload(id: string): AssayError {
  return new AssayError("not_found", `Upload '${id}' not found; start a new one.`)
}

/** Returns the error if the bytes of an upload are not on their storage, for example after a restore. */
export function bytesGone(id: string, cause?: unknown): AssayError {
  return new AssayError("upload_gone", `Bytes of upload '${id}' are gone; start a new upload.`, { cause })
}
