import type { Storage } from "@assay/storage"
import { sql } from "kysely"
import { setTimeout } from "node:timers/promises"
import type { Queries, GoneReason } from "@assay/database"
import { FILESET_COLUMNS, type FilesetRow } from "../filesets/fileset-row.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import { markGone, type HistoryLimits, type KeptRow } from "./kept-records.ts"
import { settleHistory } from "./settle-history.ts"

export interface HistoryBounds {
  /** Removes the oldest bytes of a fileset in the background, until they are within the limit. */
  readonly trim: (filesetId: string) => void
  /** Removes the oldest bytes of this server's disk, because it is full. Returns false if there were none. */
  readonly relieve: () => Promise<boolean>
  /** Removes what has expired, and bytes without a record. */
  sweep(signal?: AbortSignal): Promise<void>
  /** Removes all kept bytes of a fileset. Returns how many they were. */
  purge(fileset: Pick<FilesetRow, "id">): Promise<{ readonly files: number; readonly bytes: number }>
}

interface BoundsContext extends Pick<FilesetsContext, "database" | "background" | "isShared" | "now" | "log"> {
  readonly steadyNow: () => number
  /** Opens the storage of a fileset for the server itself. */
  readonly open: (row: FilesetRow) => Promise<Storage>
}

/** Versions that are removed together. */
const GROUP = 100
/** Bytes that a full disk gets at least, if so many are kept. */
const RELIEF = 67_108_864
/** Milliseconds between two looks at the size of a fileset. */
const TRIM_PAUSE_MS = 500
const DAY_MS = 86_400_000
/** Days that the record of a version is kept after its bytes are gone, to say when and why they went. */
const RECORD_DAYS = 90
/** Milliseconds. Bytes without a record may be those of a write whose record is not stored yet. */
const SETTLE_MS = 3_600_000

type Removable = Pick<KeptRow, "fileset_id" | "id" | "size">

export function createHistoryBounds(context: BoundsContext, limits: HistoryLimits): HistoryBounds {
  const { now } = context
  let relieving: Promise<boolean> | undefined
  // The only server of a database can settle everything that was there when it started.
  let settledUntil = context.isShared ? now() - SETTLE_MS : now()
  let settledAt = 0
  return {
    trim: createTrim(context, limits.maxBytes),
    // Writes that fail at the same time share it.
    relieve: () => (relieving ??= relieveDisk(context).finally(() => (relieving = undefined))),
    async sweep(signal) {
      const before = context.steadyNow() - limits.days * DAY_MS
      await removeExpired(context, before, signal)
      await forgetOldRecords(context, { gone: now() - RECORD_DAYS * DAY_MS, ended: before - RECORD_DAYS * DAY_MS })
      if (now() - settledAt < DAY_MS) return
      settledAt = now()
      await settleHistory(context, settledUntil, signal)
      settledUntil = settledAt - SETTLE_MS
    },
    async purge({ id }) {
      const found = await keptBytes(context, id)
      for (;;) {
        const rows = await oldestOf(context, id)
        if (rows.length === 0) return found
        await removeBytes(context, rows, { at: now(), why: "purged" })
      }
    },
  }
}

/** Returns a function that brings filesets below the limit, one after the other, in the background. */
function createTrim(context: BoundsContext, maxBytes: number): HistoryBounds["trim"] {
  const due = new Set<string>()
  let isTrimming = false

  async function trimOne(filesetId: string, signal: AbortSignal): Promise<void> {
    for (let over = (await keptBytes(context, filesetId)).bytes - maxBytes; over > 0;) {
      signal.throwIfAborted()
      const oldest = await oldestOf(context, filesetId)
      if (oldest.length === 0) return
      const chosen = firstWith(oldest, over)
      await removeBytes(context, chosen, { at: context.now(), why: "limit" })
      over -= sizeOf(chosen)
    }
  }

  return (filesetId) => {
    due.add(filesetId)
    if (isTrimming) return
    isTrimming = true
    context.background.start("remove the oldest kept bytes of a fileset", async (signal) => {
      try {
        while (due.size > 0) {
          await setTimeout(TRIM_PAUSE_MS, undefined, { signal, ref: false })
          const ids = [...due]
          due.clear()
          for (const id of ids) await trimOne(id, signal)
        }
      } finally {
        isTrimming = false
      }
    })
  }
}

async function relieveDisk(context: BoundsContext): Promise<boolean> {
  const { database, log, now } = context
  let freed = 0
  while (freed < RELIEF) {
    const rows = await database.read((queries) =>
      queries
        .selectFrom("kept_files")
        .innerJoin("filesets", "filesets.id", "kept_files.fileset_id")
        .select(["kept_files.fileset_id", "kept_files.id", "kept_files.size"])
        .where("kept_files.gone_at", "is", null)
        .where("filesets.storage_type", "=", "local")
        .where("filesets.owns_bytes", "=", 1)
        .orderBy("kept_files.replaced_at")
        .limit(GROUP)
        .execute(),
    )
    const chosen = firstWith(rows, RELIEF - freed)
    if (chosen.length === 0) break
    // The bytes first: the database may have no room for a record.
    await unlinkBytes(context, chosen)
    const mark = (queries: Queries) => markGone(queries, chosen, { at: now(), why: "disk_full" })
    try {
      await database.write(mark, { durable: false })
    } catch (error) {
      log.warn({ err: error }, "Could not record that kept bytes were removed")
      return true
    }
    freed += sizeOf(chosen)
  }
  return freed > 0
}

async function removeExpired(context: BoundsContext, before: number, signal: AbortSignal | undefined): Promise<void> {
  for (;;) {
    signal?.throwIfAborted()
    const rows = await context.database.read((queries) =>
      queries
        .selectFrom("kept_files")
        .select(["fileset_id", "id", "size"])
        .where("gone_at", "is", null)
        .where("replaced_at", "<=", before)
        .orderBy("replaced_at")
        .limit(GROUP)
        .execute(),
    )
    if (rows.length === 0) return
    await removeBytes(context, rows, { at: context.now(), why: "expired" })
  }
}

const sizeOf = (rows: readonly Removable[]) => rows.reduce((sum, { size }) => sum + size, 0)

/** Returns the first rows that have together at least this number of bytes. */
function firstWith(rows: readonly Removable[], bytes: number): readonly Removable[] {
  let sum = 0
  const end = rows.findIndex(({ size }) => (sum += size) >= bytes)
  return end < 0 ? rows : rows.slice(0, end + 1)
}

/** Returns the number of kept versions of a fileset, and their bytes. */
export async function keptBytes(
  { database }: Pick<FilesetsContext, "database">,
  filesetId: string,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const row = await database.read((queries) =>
    queries
      .selectFrom("kept_files")
      .select([sql<number>`count(*)`.as("files"), sql<number | string>`coalesce(sum(size), 0)`.as("bytes")])
      .where("fileset_id", "=", filesetId)
      .where("gone_at", "is", null)
      .executeTakeFirst(),
  )
  return { files: row?.files ?? 0, bytes: Number(row?.bytes ?? 0) }
}

function oldestOf({ database }: BoundsContext, filesetId: string): Promise<readonly Removable[]> {
  return database.read((queries) =>
    queries
      .selectFrom("kept_files")
      .select(["fileset_id", "id", "size"])
      .where("fileset_id", "=", filesetId)
      .where("gone_at", "is", null)
      .orderBy("id")
      .limit(GROUP)
      .execute(),
  )
}

/** Records that bytes are gone, and removes them. A crash in between leaves bytes that the sweep finds. */
async function removeBytes(
  context: BoundsContext,
  rows: readonly Removable[],
  gone: { readonly at: number; readonly why: GoneReason },
): Promise<void> {
  await context.database.write((queries) => markGone(queries, rows, gone))
  await unlinkBytes(context, rows)
}

async function unlinkBytes(context: BoundsContext, rows: readonly Removable[]): Promise<void> {
  for (const [filesetId, group] of Map.groupBy(rows, ({ fileset_id }) => fileset_id)) {
    try {
      const storage = await openById(context, filesetId)
      for (const { id } of group) await storage?.kept?.remove(id)
    } catch (error) {
      context.log.warn({ err: error }, "Could not remove kept bytes; the next sweep tries again")
    }
  }
}

async function openById({ database, open }: BoundsContext, id: string): Promise<Storage | undefined> {
  const row = await database.read((queries) =>
    queries.selectFrom("filesets").select(FILESET_COLUMNS).where("id", "=", id).executeTakeFirst(),
  )
  return row && open(row)
}

/** Forgets versions whose bytes went long ago, old changes, and everything of removed filesets that can't be restored. */
async function forgetOldRecords(
  { database }: BoundsContext,
  before: { readonly gone: number; readonly ended: number },
): Promise<void> {
  await database.write((queries) => queries.deleteFrom("kept_files").where("gone_at", "<", before.gone).execute())
  await database.write((queries) => queries.deleteFrom("file_changes").where("ended_at", "<", before.ended).execute())
  for (const table of ["kept_files", "file_changes", "fileset_tags"] as const) {
    await database.write((queries) =>
      queries
        .deleteFrom(table)
        .where("fileset_id", "not in", queries.selectFrom("filesets").select("id"))
        .where("fileset_id", "not in", queries.selectFrom("trash_entries").select("id"))
        .execute(),
    )
  }
}
