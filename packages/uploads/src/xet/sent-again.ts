import { sql } from "kysely"
import type { Queries } from "@assay/database"
import { forgetFiles } from "./forget-chunks.ts"

/**
 * The beginning of the key of a file that is sent again while its content is known. It has a record of its own until its commit: its terms are
 * not verified yet, and downloads that have begun go on with those of the first record.
 */
const AGAIN = "again-"

/** Returns the keys that a pending file can have. */
export const pendingKeys = (sha256: string): readonly string[] => [sha256, `${AGAIN}${sha256}`]

/** Returns the digest of a file by its key. */
export const digestOfKey = (key: string): string => (key.startsWith(AGAIN) ? key.slice(AGAIN.length) : key)

/** Returns the key for a file that is sent now. */
export async function keyFor(queries: Queries, fileset_id: string, sha256: string): Promise<string> {
  const known = await queries
    .selectFrom("xet_files")
    .select("committed")
    .where((file) => file.and({ fileset_id, sha256 }))
    .executeTakeFirst()
  return known === undefined || known.committed === 0 ? sha256 : `${AGAIN}${sha256}`
}

/**
 * Ends the second records of files that are committed now. The first record stays if there still is one, because it describes the same bytes;
 * xorbs that only the second one uses expire.
 */
export async function endSecondRecords(
  queries: Queries,
  fileset_id: string,
  sha256s: readonly string[],
): Promise<void> {
  const first = await queries
    .selectFrom("xet_files")
    .select("sha256")
    .where("fileset_id", "=", fileset_id)
    .where("sha256", "in", sha256s)
    .execute()
  const superfluous = first.map(({ sha256 }) => `${AGAIN}${sha256}`)
  if (superfluous.length > 0) await forgetFiles(queries, fileset_id, superfluous, "pending")
  const keys = sha256s.map((sha256) => `${AGAIN}${sha256}`)
  for (const table of ["xet_files", "xet_uses"] as const) {
    await queries
      .updateTable(table)
      .set({ sha256: sql<string>`substr(sha256, ${AGAIN.length + 1})` })
      .where("fileset_id", "=", fileset_id)
      .where("sha256", "in", keys)
      .execute()
  }
}
