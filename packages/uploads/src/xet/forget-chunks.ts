import { sql } from "kysely"
import { databaseTime, type Queries } from "@assay/database"
import type { UploadsContext } from "../upload-rows.ts"

/** The name of a xorb among the pending objects of its fileset. */
export const XORB_OBJECT = "xorb-"

/** Forgets files that wait for their commit, or whose bytes are gone, and that they use xorbs. */
export async function forgetFiles(
  queries: Queries,
  fileset_id: string,
  sha256s: readonly string[],
  which: "pending" | "former",
): Promise<void> {
  const gone = await queries
    .deleteFrom("xet_files")
    .where((file) => file.and({ fileset_id, committed: which === "pending" ? 0 : FORMER }))
    .where("sha256", "in", sha256s)
    .returning("sha256")
    .execute()
  if (gone.length === 0) return
  await queries
    .deleteFrom("xet_uses")
    .where("fileset_id", "=", fileset_id)
    .where(
      "sha256",
      "in",
      gone.map(({ sha256 }) => sha256),
    )
    .execute()
}

/** The state of a committed file whose content no file has any more. */
const FORMER = 2

/** Notes that no file has these contents any more. Readers that have begun go on, and uploads can't use the chunks. */
export async function keepFormer(queries: Queries, fileset_id: string, sha256s: readonly string[]): Promise<void> {
  const { numUpdatedRows } = await queries
    .updateTable("xet_files")
    .set({ committed: FORMER })
    .where((file) => file.and({ fileset_id, committed: 1 }))
    .where("sha256", "in", sha256s)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await noteLoss(queries, fileset_id)
}

async function forgetXorbs(queries: Queries, fileset_id: string, hashes: readonly string[]): Promise<void> {
  await queries.deleteFrom("xet_xorbs").where("fileset_id", "=", fileset_id).where("hash", "in", hashes).execute()
  await queries.deleteFrom("xet_chunks").where("fileset_id", "=", fileset_id).where("xorb", "in", hashes).execute()
  await noteLoss(queries, fileset_id)
}

/** Counts a loss. */
export async function noteLoss(queries: Queries, fileset_id: string): Promise<void> {
  await queries
    .insertInto("xet_losses")
    .values({ fileset_id, losses: 1 })
    .onConflict((conflict) => conflict.column("fileset_id").doUpdateSet({ losses: sql<number>`xet_losses.losses + 1` }))
    .execute()
}

const BATCH = 100

/**
 * Forgets files that no commit has made, former files whose bytes are gone, xorbs that no file uses and whose bytes are gone, and everything of removed filesets. Any server may
 * run it, also several at a time.
 */
export async function sweepXet(context: UploadsContext): Promise<void> {
  const { database } = context
  for (const forget of [forgetExpired, forgetUnreadable, forgetUnused]) {
    const run = () => database.write((queries) => forget(queries, context), { small: true })
    while ((await run()) > 0);
  }
  for (const table of ["xet_files", "xet_uses", "xet_xorbs", "xet_chunks", "xet_losses"] as const) {
    await database.write((queries) =>
      queries
        .deleteFrom(table)
        .where("fileset_id", "not in", queries.selectFrom("filesets").select("id"))
        .where("fileset_id", "not in", queries.selectFrom("trash_entries").select("id"))
        .execute(),
    )
  }
}

/** Forgets some files that no commit has made in time. Returns how many. */
async function forgetExpired(queries: Queries, context: UploadsContext): Promise<number> {
  const rows = await queries
    .selectFrom("xet_files")
    .select(["fileset_id", "sha256"])
    .where("committed", "=", 0)
    .where("expires_at", "<=", databaseTime(context))
    .limit(BATCH)
    .execute()
  for (const { fileset_id, sha256 } of rows) await forgetFiles(queries, fileset_id, [sha256], "pending")
  return rows.length
}

/** Forgets some former files whose bytes the history does not keep any more. Returns how many. */
async function forgetUnreadable(queries: Queries): Promise<number> {
  const rows = await queries
    .selectFrom("xet_files")
    .select(["fileset_id", "sha256"])
    .where("committed", "=", FORMER)
    .where(
      sql<boolean>`not exists (select 1 from kept_files where kept_files.fileset_id = xet_files.fileset_id and kept_files.sha256 = xet_files.sha256 and kept_files.gone_at is null)`,
    )
    .limit(BATCH)
    .execute()
  for (const { fileset_id, sha256 } of rows) await forgetFiles(queries, fileset_id, [sha256], "former")
  return rows.length
}

/** Forgets some xorbs that no file uses. Returns how many. */
async function forgetUnused(queries: Queries): Promise<number> {
  const rows = await queries
    .selectFrom("xet_xorbs")
    .select(["fileset_id", "hash"])
    .where(
      sql<boolean>`not exists (select 1 from xet_uses where xet_uses.fileset_id = xet_xorbs.fileset_id and xet_uses.xorb = xet_xorbs.hash)`,
    )
    .where(
      sql<boolean>`not exists (select 1 from uploads where uploads.fileset_id = xet_xorbs.fileset_id and uploads.sha256 = ${XORB_OBJECT} || xet_xorbs.hash)`,
    )
    .limit(BATCH)
    .execute()
  for (const { fileset_id, hash } of rows) await forgetXorbs(queries, fileset_id, [hash])
  return rows.length
}
