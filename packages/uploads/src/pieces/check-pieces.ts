import { join } from "node:path"
import { isAssayError, messageOf } from "@assay/schemas"
import type { Storage, FilePath } from "@assay/storage"
import { sql } from "kysely"
import { readDatabaseTime, type Database, readPages } from "@assay/database"
import type { PieceStorage } from "./piece-storage.ts"

interface PieceRow {
  readonly upload_id: string
  readonly start: number
  readonly size: number
  readonly path: FilePath
}

const PAGE = 1000
const ADVICE = "The upload can't continue: have the client begin again."

interface CheckPiecesContext {
  readonly database: Database
  readonly now: () => number
  readonly pieces: PieceStorage
}

/** A piece that is no longer as it was written. */
export interface PieceDamage {
  readonly kind: "missing" | "changed" | "unreadable"
  readonly place: string
  /** Says what was found and what to do. */
  readonly detail: string
}

interface CheckPiecesOptions {
  readonly onDamage: (damage: PieceDamage) => void
  readonly signal: AbortSignal
}

/**
 * Finds the pieces of uploads in progress that are not on their storage with all bytes on record. Their bytes are not
 * compared: an upload has a digest only when it is whole, and that is checked then.
 */
export async function checkPieces(
  { database, pieces, now }: CheckPiecesContext,
  { onDamage, signal }: CheckPiecesOptions,
): Promise<void> {
  const time = await database.read((queries) => readDatabaseTime(queries, { database, now }))
  const pages = readPages<PieceRow>((last, limit) => readPieceRows(database, { last, limit, time }), PAGE)
  for await (const rows of pages) {
    const storage = await pieces.open()
    for (const row of rows) {
      const damage = await checkPiece(storage, row, signal)
      // An upload that ends deletes its pieces after their records.
      if (damage === undefined || !(await isOnRecord(database, row))) continue
      const { root } = pieces
      onDamage({ ...damage, place: root === undefined ? row.path : join(root, row.path) })
    }
  }
}

/** Reads the pieces of uploads that have not expired at `time`. The sweep removes the others. */
async function readPieceRows(
  database: Database,
  { last, limit, time }: { readonly last: PieceRow | undefined; readonly limit: number; readonly time: number },
): Promise<readonly PieceRow[]> {
  const after = last ?? { upload_id: "", start: 0 }
  return database.read((queries) =>
    queries
      .selectFrom("upload_pieces")
      .innerJoin("uploads", "uploads.id", "upload_id")
      .select(["upload_id", "start", "size", "upload_pieces.path"])
      .where("expires_at", ">", time)
      .where(sql<boolean>`(upload_id, start) > (${after.upload_id}, ${after.start})`)
      .orderBy("upload_id")
      .orderBy("start")
      .limit(limit)
      .execute(),
  )
}

async function checkPiece(
  storage: Storage,
  { upload_id: id, size, path }: PieceRow,
  signal: AbortSignal,
): Promise<Omit<PieceDamage, "place"> | undefined> {
  try {
    const { size: found } = await storage.stat(path, { signal })
    // Bytes after those on record are of a request that broke off, or that still sends them.
    if (found >= size) return undefined
    return { kind: "changed", detail: `A piece of '${id}' has ${found} bytes instead of ${size}. ${ADVICE}` }
  } catch (error) {
    signal.throwIfAborted()
    if (!isAssayError(error, "not_found")) return { kind: "unreadable", detail: messageOf(error) }
    return { kind: "missing", detail: `A piece of '${id}' is not on the storage. ${ADVICE}` }
  }
}

async function isOnRecord(database: Database, { path }: PieceRow): Promise<boolean> {
  const row = await database.read((queries) =>
    queries.selectFrom("upload_pieces").select("path").where("path", "=", path).executeTakeFirst(),
  )
  return row !== undefined
}
