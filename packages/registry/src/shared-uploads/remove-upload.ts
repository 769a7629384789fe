import { deleteAll, type FilePath } from "@assay/storage"
import { databaseTime } from "../database/clock.ts"
import { deletePieces, uploadFolder, UPLOADS_FOLDER, type SharedUploadsContext } from "./upload-rows.ts"

/** Removes an upload. The record goes last, so that the sweep completes a removal that a crash ended. */
export async function removeUpload(context: SharedUploadsContext, id: string): Promise<void> {
  await deleteAll(await context.openDefaultStorage(), { prefix: uploadFolder(id) })
  await context.database.write((queries) => queries.deleteFrom("uploads").where("id", "=", id).execute())
}

const BATCH = 100

/**
 * Removes the uploads that have expired by the clock of the database and that no request holds, and pieces whose upload is gone.
 * Any server may run it, also several at a time: uploads of other servers that are in progress stay.
 */
export async function sweepSharedUploads(context: SharedUploadsContext): Promise<void> {
  for (let ids = await findExpired(context); ids.length > 0; ids = await findExpired(context)) {
    for (const id of ids) await removeUpload(context, id)
  }
  await removeOrphans(context)
}

async function findExpired(context: SharedUploadsContext): Promise<readonly string[]> {
  const time = databaseTime(context)
  const rows = await context.database.read((queries) =>
    queries
      .selectFrom("uploads")
      .select("id")
      .where("expires_at", "<=", time)
      .where("leased_until", "<=", time)
      .limit(BATCH)
      .execute(),
  )
  return rows.map(({ id }) => id)
}

/** The path of a piece. An operator may keep other files in a folder with the same name. */
const PIECE = /^uploads\/((?:upload|object)-[\w-]+)\/piece-[\w-]+$/

/** Removes the pieces of requests that lost their upload. An id is recorded before its first piece and never used again. */
async function removeOrphans(context: SharedUploadsContext): Promise<void> {
  const storage = await context.openDefaultStorage()
  let pieces: { readonly id: string; readonly path: FilePath }[] = []
  for await (const { path } of storage.list({ prefix: UPLOADS_FOLDER })) {
    const id = PIECE.exec(path)?.[1]
    if (id !== undefined) pieces.push({ id, path })
    if (pieces.length < BATCH) continue
    await removeUnknown(context, pieces)
    pieces = []
  }
  await removeUnknown(context, pieces)
}

async function removeUnknown(
  context: SharedUploadsContext,
  pieces: readonly { readonly id: string; readonly path: FilePath }[],
): Promise<void> {
  if (pieces.length === 0) return
  const ids = [...new Set(pieces.map(({ id }) => id))]
  const rows = await context.database.read((queries) =>
    queries.selectFrom("uploads").select("id").where("id", "in", ids).execute(),
  )
  const known = new Set(rows.map(({ id }) => id))
  const orphans = pieces.filter(({ id }) => !known.has(id)).map(({ path }) => path)
  await deletePieces(await context.openDefaultStorage(), orphans)
}
