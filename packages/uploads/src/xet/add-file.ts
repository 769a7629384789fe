import type { Queries } from "@assay/database"
import { timeAfter, type UploadsContext } from "../upload-rows.ts"
import { keyFor } from "./sent-again.ts"
import type { NewXetFile } from "./xet-file.ts"

/** Databases limit the number of parameters of a statement. */
export const BATCH = 500

/** Stores a file that waits for its commit, and which xorbs it uses. */
export async function addFile(
  context: UploadsContext,
  queries: Queries,
  fileset_id: string,
  { xorbs, asked, ...sent }: NewXetFile,
): Promise<void> {
  const file = { ...sent, sha256: await keyFor(queries, fileset_id, sent.sha256) }
  const set = { ...file, committed: 0, expires_at: timeAfter(context, context.lifetimeMs) }
  await queries
    .insertInto("xet_files")
    .values({ fileset_id, ...set })
    .onConflict((conflict) => conflict.columns(["fileset_id", "sha256"]).doUpdateSet(set))
    .execute()
  const { sha256 } = file
  await queries
    .deleteFrom("xet_uses")
    .where((use) => use.and({ fileset_id, sha256 }))
    .execute()
  for (let first = 0; first < xorbs.length; first += BATCH) {
    const rows = xorbs.slice(first, first + BATCH).map((xorb) => ({ fileset_id, sha256, xorb }))
    await queries.insertInto("xet_uses").values(rows).execute()
  }
  if (asked !== undefined) await addAsked(queries, fileset_id, [asked])
}

/** Notes in which xorbs chunks are that clients ask for. */
export async function addAsked(
  queries: Queries,
  fileset_id: string,
  chunks: readonly { readonly chunk: string; readonly xorb: string }[],
): Promise<void> {
  const distinct = [...new Map(chunks.map((known) => [known.chunk, known])).values()]
  for (let first = 0; first < distinct.length; first += BATCH) {
    const rows = distinct.slice(first, first + BATCH).map((known) => ({ fileset_id, ...known }))
    await queries
      .insertInto("xet_chunks")
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(["fileset_id", "chunk"]).doUpdateSet((known) => ({ xorb: known.ref("excluded.xorb") })),
      )
      .execute()
  }
}
