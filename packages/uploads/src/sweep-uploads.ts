import { rm } from "node:fs/promises"
import { join } from "node:path"
import type { FilePath } from "@assay/storage"
import { databaseTime } from "@assay/database"
import { noteLoss, XORB_OBJECT } from "./xet/forget-chunks.ts"
import { uploadOfPiece } from "./pieces/piece-storage.ts"
import { deletePieces, type UploadsContext } from "./upload-rows.ts"

export interface SweepContext extends UploadsContext {
  /** The folder of the pieces of uploads. Undefined if servers share the database: then they are on the default storage. */
  readonly uploadsFolder: string | undefined
}

/**
 * Removes the uploads that have expired by the clock of the database and that no request holds, and pieces whose upload is gone.
 * Any server may run it, also several at a time: uploads of other servers that are in progress stay.
 */
export async function sweepUploads(context: SweepContext): Promise<void> {
  while ((await removeExpired(context)) > 0);
  await removeOrphans(context)
  // LFS objects of older versions, beside the folder with the uploads.
  const { uploadsFolder } = context
  if (uploadsFolder !== undefined) await rm(join(uploadsFolder, "..", "objects"), { recursive: true, force: true })
}

const BATCH = 100

/** Removes the records of expired uploads, not too many at a time. Returns their number. */
async function removeExpired(context: SweepContext): Promise<number> {
  const time = databaseTime(context)
  const removed = await context.database.write(async (queries) => {
    const rows = await queries
      .deleteFrom("uploads")
      .where("id", "in", (upload) =>
        upload
          .selectFrom("uploads")
          .select("id")
          .where("expires_at", "<=", time)
          .where("leased_until", "<=", time)
          .limit(BATCH),
      )
      // Again, because a request may have taken one in the meantime.
      .where("leased_until", "<=", time)
      .returning(["fileset_id", "sha256"])
      .execute()
    // Some chunks of a xorb that expires may be in no file. Clients that remember the xorb must forget it.
    const xorbs = rows.filter(({ sha256 }) => sha256?.startsWith(XORB_OBJECT))
    for (const fileset of new Set(xorbs.map(({ fileset_id }) => fileset_id))) await noteLoss(queries, fileset)
    return rows
  })
  return removed.length
}

/** Removes the pieces of requests that lost their upload. An id is recorded before its first piece and never used again. */
async function removeOrphans(context: SweepContext): Promise<void> {
  const { pieces } = context
  const storage = await pieces.open()
  let found = new Map<FilePath, string>()
  for await (const { path } of storage.list({ prefix: pieces.folder })) {
    const id = uploadOfPiece(pieces, path)
    if (id !== undefined) found.set(path, id)
    if (found.size < BATCH) continue
    await removeUnknown(context, found)
    found = new Map()
  }
  await removeUnknown(context, found)
}

/** @param found the uploads of pieces, by their paths */
async function removeUnknown({ database, pieces }: SweepContext, found: ReadonlyMap<FilePath, string>): Promise<void> {
  if (found.size === 0) return
  const ids = [...new Set(found.values())]
  const rows = await database.read((queries) =>
    queries.selectFrom("uploads").select("id").where("id", "in", ids).execute(),
  )
  const known = new Set(rows.map(({ id }) => id))
  const orphans = [...found].flatMap(([path, id]) => (known.has(id) ? [] : [path]))
  await deletePieces(await pieces.open(), orphans)
}
