import { setImmediate as nextTurn } from "node:timers/promises"
import type { Storage } from "@assay/storage"
import { usersFolders } from "../files/sweep-temporary-files.ts"
import type { FilesetRow } from "../filesets/fileset-row.ts"
import { ownFilesets } from "../integrity/recorded-files.ts"
import { hasVersion } from "../integrity/verify-kept.ts"
import { readPages } from "../records/read-records.ts"
import type { RegistryContext } from "../registry-context.ts"
import { isKeptOf, keptAt } from "../storages/kept-id.ts"
import { forget, markGone, type KeptRow } from "./kept-records.ts"

interface SettleContext extends Pick<RegistryContext, "database" | "now" | "log"> {
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
  for await (const rows of groupsOf(context)) {
    signal?.throwIfAborted()
    const recorded = await withRecords(context, rows)
    for (const row of rows) {
      try {
        const storage = await context.open(row)
        await settleFileset(context, { id: row.id, storage, before, hasRecords: recorded.has(row.id) })
      } catch (error) {
        context.log.warn({ err: error }, "Could not compare kept bytes with their records")
      }
    }
    // Nothing above has to wait if the filesets keep nothing, and requests need a turn.
    await nextTurn()
  }
}

/** Yields the filesets that can keep former versions, in groups. */
async function* groupsOf({ database }: SettleContext): AsyncGenerator<readonly FilesetRow[], void, undefined> {
  const users = await database.read((queries) => usersFolders(queries).execute())
  let group: FilesetRow[] = []
  for (const rows of [ownFilesets(database), users]) {
    for await (const row of rows) {
      if (row.subfolder === "") group.push(row)
      if (group.length < GROUP) continue
      yield group
      group = []
    }
  }
  yield group
}

/** Returns the ids of the filesets that have records of kept bytes, by one query: most have none. */
async function withRecords({ database }: SettleContext, rows: readonly FilesetRow[]): Promise<ReadonlySet<string>> {
  const ids = rows.map(({ id }) => id)
  if (ids.length === 0) return new Set()
  const found = await database.read((queries) =>
    queries
      .selectFrom("kept_files")
      .select("fileset_id")
      .distinct()
      .where("fileset_id", "in", ids)
      .where("gone_at", "is", null)
      .execute(),
  )
  return new Set(found.map(({ fileset_id: id }) => id))
}

interface OpenedFileset {
  readonly id: string
  readonly storage: Storage
  readonly before: number
  /** Whether it had a record of kept bytes a moment ago. */
  readonly hasRecords: boolean
}

async function settleFileset(context: SettleContext, fileset: OpenedFileset): Promise<void> {
  const { id: filesetId, storage, before, hasRecords } = fileset
  const { kept } = storage
  if (kept === undefined) return
  const found = new Set<string>()
  for await (const id of kept.list()) if (isKeptOf(filesetId, id) && keptAt(id) < before) found.add(id)
  if (!hasRecords && found.size === 0) return
  // Read after the bytes were listed: a record that was stored meanwhile keeps its bytes.
  for await (const rows of recordsOf(context, filesetId)) {
    for (const row of rows) {
      const isMissing = !found.delete(row.id) && keptAt(row.id) < before
      if (isMissing && (await kept.size(row.id)) === undefined) await settleMissing(context, storage, row)
    }
  }
  for (const id of found) await kept.remove(id)
}

function recordsOf({ database }: SettleContext, filesetId: string): AsyncIterable<readonly Settled[]> {
  return readPages<Settled>(
    (last, limit) =>
      database.read((queries) =>
        queries
          .selectFrom("kept_files")
          .select(["fileset_id", "id", "path", "version", "is_deleted", "change_id"])
          .where("fileset_id", "=", filesetId)
          .where("gone_at", "is", null)
          .where("id", ">", last?.id ?? "")
          .orderBy("id")
          .limit(limit)
          .execute(),
      ),
    GROUP,
  )
}

/** Settles a record without bytes: the write did not happen if the file still has that version. */
async function settleMissing({ database, now }: SettleContext, storage: Storage, row: Settled): Promise<void> {
  const isPresent = await hasVersion(storage, row)
  await database.write((queries) =>
    isPresent ? forget(queries, row) : markGone(queries, [row], { at: now(), why: "lost" }),
  )
}
