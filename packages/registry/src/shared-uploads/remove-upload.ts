import { deleteAll } from "@assay/storage"
import { databaseTime } from "../database/clock.ts"
import { uploadFolder, UPLOADS_FOLDER, type SharedUploadsContext } from "./upload-rows.ts"

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

/** A request that loses its upload can leave a piece. An id is recorded before its first piece and never used again. */
async function removeOrphans(context: SharedUploadsContext): Promise<void> {
  const storage = await context.openDefaultStorage()
  for (let after: string | undefined; ;) {
    const ids = new Set<string>()
    for await (const { path } of storage.list({ prefix: UPLOADS_FOLDER, after })) {
      const id = path.slice(UPLOADS_FOLDER.length).split("/")[0] ?? ""
      if (ids.size === BATCH && !ids.has(id)) break
      ids.add(id)
      after = path
    }
    if (ids.size === 0) return
    const known = await context.database.read((queries) =>
      queries
        .selectFrom("uploads")
        .select("id")
        .where("id", "in", [...ids])
        .execute(),
    )
    for (const { id } of known) ids.delete(id)
    for (const id of ids) await deleteAll(storage, { prefix: uploadFolder(id) })
  }
}
