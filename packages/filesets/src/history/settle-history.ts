import { slot, readPages } from "@assay/database"
import type { Storage } from "@assay/storage"
import { usersFolders } from "../files/sweep-temporary-files.ts"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import { ownFilesets } from "../integrity/recorded-files.ts"
import { hasVersion } from "../integrity/verify-kept.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import { isKeptOf, keptAt } from "../storages/kept-id.ts"
import { forget, markGone, type KeptRow } from "./kept-records.ts"

interface SettleContext extends Pick<FilesetsContext, "database" | "now" | "log"> {
  readonly open: (row: FilesetRow) => Promise<Storage>
}

type Settled = Pick<KeptRow, "fileset_id" | "id" | "path" | "version" | "is_deleted" | "change_id">

const GROUP = 100

/**
 * Brings records and bytes together, as a crash can leave them: removes bytes that have no record, or whose record says that they are gone,
 * and records whose bytes are missing. Versions that were kept after `before` are left alone.
 */
export async function settleHistory(
  context: SettleContext,
  before: number,
  signal: AbortSignal | undefined,
): Promise<void> {
  const users = await context.database.read((queries) => usersFolders(queries).execute())
  const rows = async function* () {
    yield* ownFilesets(context.database)
    yield* users
  }
  const recordsOf = prepareRecords(context)
  for await (const row of rows()) {
    signal?.throwIfAborted()
    if (row.subfolder !== "") continue
    try {
      await settleFileset(context, { id: row.id, storage: await context.open(row), before, recordsOf })
    } catch (error) {
      context.log.warn({ err: error }, "Could not compare kept bytes with their records")
    }
  }
}

interface OpenedFileset {
  readonly id: string
  readonly storage: Storage
  readonly before: number
  readonly recordsOf: ReturnType<typeof prepareRecords>
}

async function settleFileset(context: SettleContext, fileset: OpenedFileset): Promise<void> {
  const { id: filesetId, storage, before, recordsOf } = fileset
  const { kept } = storage
  if (kept === undefined) return
  const found = new Set<string>()
  for await (const id of kept.list()) if (isKeptOf(filesetId, id) && keptAt(id) < before) found.add(id)
  for await (const rows of recordsOf(filesetId)) {
    for (const row of rows) {
      const isMissing = !found.delete(row.id) && keptAt(row.id) < before
      if (isMissing && (await kept.size(row.id)) === undefined) await settleMissing(context, storage, row)
    }
  }
  for (const id of found) await kept.remove(id)
}

/** Prepares the query of a fileset's records, because most filesets have none. */
function prepareRecords({ database }: SettleContext): (filesetId: string) => AsyncIterable<readonly Settled[]> {
  const query = database.prepare((queries) =>
    queries
      .selectFrom("kept_files")
      .select(["fileset_id", "id", "path", "version", "is_deleted", "change_id"])
      .where("fileset_id", "=", slot<string>("fileset"))
      .where("gone_at", "is", null)
      .where("id", ">", slot<string>("after"))
      .orderBy("id")
      .limit(GROUP),
  )
  return (fileset) => readPages<Settled>((last) => query.run({ fileset, after: last?.id ?? "" }), GROUP)
}

/** Settles a record without bytes: the write did not happen if the file still has that version. */
async function settleMissing({ database, now }: SettleContext, storage: Storage, row: Settled): Promise<void> {
  const isPresent = await hasVersion(storage, row)
  await database.write((queries) =>
    isPresent ? forget(queries, row) : markGone(queries, [row], { at: now(), why: "lost" }),
  )
}
