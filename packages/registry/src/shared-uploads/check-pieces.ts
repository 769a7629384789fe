import { isAssayError, messageOf } from "@assay/schemas"
import { parseFilePath, type Storage } from "@assay/storage"
import { sql } from "kysely"
import { readDatabaseTime } from "../database/clock.ts"
import type { Database } from "../database/database.ts"
import type { CheckFilesOptions, Damage } from "../integrity/integrity.ts"
import { readPages } from "../records/read-records.ts"
import type { RegistryContext } from "../registry-context.ts"

interface PieceRow {
  readonly upload_id: string
  readonly start: number
  readonly size: number
  readonly path: string
}

const PAGE = 1000
const ADVICE = "The upload can't continue: have the client begin again."

/** Milliseconds in which a server that deletes the pieces of an upload also removes its record. */
const SETTLE_MS = 500

export interface CheckPiecesContext extends Pick<RegistryContext, "database" | "remote" | "now"> {
  readonly openDefaultStorage: () => Promise<Storage>
}

/**
 * Finds the pieces of uploads in progress that are not on the default storage with the size on record. Their bytes are not
 * compared: an upload has a digest only when it is whole, and that is checked then.
 */
export async function checkPieces(
  { database, remote, now, openDefaultStorage }: CheckPiecesContext,
  { onDamage, signal }: Pick<CheckFilesOptions, "onDamage" | "signal">,
): Promise<void> {
  const time = await database.read((queries) => readDatabaseTime(queries, { database, now }))
  const pages = readPages<PieceRow>((last, limit) => readPieceRows(database, { last, limit, time }), PAGE)
  for await (const rows of pages) {
    const storage = await openDefaultStorage()
    const suspects: { readonly row: PieceRow; readonly damage: Damage }[] = []
    for (const row of rows) {
      const damage = await checkPiece(storage, row, signal)
      if (damage !== undefined) suspects.push({ row, damage })
    }
    if (suspects.length > 0) await remote.sleep(SETTLE_MS, signal)
    for (const { row, damage } of suspects) if (await isOnRecord(database, row)) onDamage(damage)
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
): Promise<Damage | undefined> {
  try {
    const { size: found } = await storage.stat(parseFilePath(path), { signal })
    if (found === size) return undefined
    return {
      kind: "changed",
      place: path,
      detail: `A piece of '${id}' has ${found} bytes instead of ${size}. ${ADVICE}`,
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!isAssayError(error, "not_found")) return { kind: "unreadable", place: path, detail: messageOf(error) }
    return { kind: "missing", place: path, detail: `A piece of '${id}' is not on the storage. ${ADVICE}` }
  }
}

async function isOnRecord(database: Database, { path }: PieceRow): Promise<boolean> {
  const row = await database.read((queries) =>
    queries.selectFrom("upload_pieces").select("path").where("path", "=", path).executeTakeFirst(),
  )
  return row !== undefined
}
