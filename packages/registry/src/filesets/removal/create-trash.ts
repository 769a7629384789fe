import { sql, type Selectable } from "kysely"
import { readDatabaseTime, type Queries, type TrashEntryTable } from "@assay/database"
import { allOf, isWithin, type Condition } from "../../filter/compile-filter.ts"
import { checkWorkspace, workspaceNotFound } from "../../records/not-found.ts"
import { readRecords } from "../../records/read-records.ts"
import type { RegistryContext } from "../../registry-context.ts"
import { filesetOf } from "../fileset-row.ts"
import type { FilesetTrash, TrashItem } from "./fileset-trash.ts"
import { removeKept, settleTrash } from "./remove-filesets.ts"
import { notInTrash, restoreFileset } from "./restore-fileset.ts"
import { dropEntries, isMoved, parseTrashed } from "./trash-entries.ts"

type Entry = Selectable<TrashEntryTable>

/** Entries that are deleted in one transaction. A small number, so that other transactions do not wait long. */
const GROUP = 100
/** Bytes that a full disk gets at least, if the trash has so many. */
const RELIEF = 67_108_864

export interface TrashParts {
  readonly trash: FilesetTrash
  /** Deletes the filesets that were removed first, because the disk is full. Returns false if there were none on it. */
  readonly relieve: () => Promise<boolean>
}

export function createFilesetTrash(context: RegistryContext): TrashParts {
  const { database, defaultStorage } = context
  const of = (workspace: string) => sql<boolean>`workspace = ${workspace}`
  const trash: FilesetTrash = {
    async list(workspace, { name, ...query }, visible) {
      if (workspace !== undefined && visible !== "all" && !visible.includes(workspace))
        throw workspaceNotFound(workspace)
      const time = await database.read(async (queries) => {
        if (workspace !== undefined) await checkWorkspace(queries, workspace)
        return readDatabaseTime(queries, context)
      })
      const condition = allOf([
        isWithin("workspace", workspace === undefined ? visible : [workspace]),
        sql<boolean>`removed_until > ${time}`,
        ...(name === undefined ? [] : [sql<boolean>`name = ${name}`]),
      ])
      const { rows, pagination } = await readRecords(database, query, (queries) =>
        queries.selectFrom("trash_entries").selectAll().where(condition).orderBy("removed_at", "desc").orderBy("id"),
      )
      return { data: rows.map(itemOf), pagination, bytes: await sumBytes(context, condition) }
    },

    restore: async (workspace, id, name) =>
      filesetOf(await restoreFileset(context, { workspace, id, name }), defaultStorage),

    async remove(workspace, id) {
      const [entry] = await dropWhere(context, allOf([of(workspace), sql<boolean>`id = ${id}`]))
      if (entry === undefined) throw notInTrash({ workspace, id })
      return itemOf(entry)
    },

    async empty(workspace) {
      await database.read((queries) => checkWorkspace(queries, workspace))
      let filesets = 0
      let bytes = 0
      for await (const entries of dropAll(context, of(workspace))) {
        filesets += entries.length
        bytes += sumOf(entries)
      }
      return { filesets, bytes }
    },

    async sweep() {
      const time = await database.read((queries) => readDatabaseTime(queries, context))
      for await (const _ of dropAll(context, sql<boolean>`removed_until <= ${time}`));
    },
  }
  return { trash, relieve: () => relieveDisk(context) }
}

function itemOf({ id, workspace, name, removed_at, removed_by, removed_until, bytes }: Entry): TrashItem {
  const times = { removedAt: removed_at, removedBy: removed_by, removedUntil: removed_until }
  return { id, workspace, name, ...times, bytes }
}

const sumOf = (entries: readonly Entry[]) => entries.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)

async function sumBytes({ database }: RegistryContext, condition: Condition): Promise<number> {
  const row = await database.read((queries) =>
    queries
      .selectFrom("trash_entries")
      .select(sql<number | string>`coalesce(sum(bytes), 0)`.as("bytes"))
      .where(condition)
      .executeTakeFirst(),
  )
  return Number(row?.bytes ?? 0)
}

async function* dropAll(context: RegistryContext, condition: Condition): AsyncGenerator<readonly Entry[]> {
  for (;;) {
    const entries = await dropWhere(context, condition)
    if (entries.length > 0) yield entries
    if (entries.length < GROUP) return
  }
}

/** Takes entries out of the trash, those that were removed first, and deletes their files in the background. */
async function dropWhere(context: RegistryContext, condition: Condition): Promise<readonly Entry[]> {
  const entries = await context.database.write((queries) => dropIn(queries, context, condition))
  deleteDropped(context, entries)
  return entries
}

async function dropIn(queries: Queries, { database }: RegistryContext, condition: Condition) {
  const entries = await queries
    .selectFrom("trash_entries")
    .selectAll()
    .where(condition)
    .orderBy("removed_at")
    .limit(GROUP)
    .modifyEnd(database.dialect.forUpdate)
    .execute()
  await dropEntries(queries, entries)
  return entries
}

/** Takes all removed filesets of a workspace out of the trash, in the transaction that removes it. `deleteDropped` comes after it. */
export async function dropOfWorkspace(
  queries: Queries,
  context: RegistryContext,
  workspace: string,
): Promise<readonly Entry[]> {
  const dropped: Entry[] = []
  for (;;) {
    const entries = await dropIn(queries, context, sql<boolean>`workspace = ${workspace}`)
    dropped.push(...entries)
    if (entries.length < GROUP) return dropped
  }
}

/** Deletes the files of filesets that the trash had, in the background. After a crash, the next start does it. */
export function deleteDropped(context: RegistryContext, entries: readonly Entry[]): void {
  if (entries.length === 0) return
  const { background, removals, removedRecords } = context
  background.start("delete the files of removed filesets", (signal) =>
    settleTrash(
      context,
      entries.map(({ id }) => id),
      signal,
    ),
  )
  for (const { record } of entries) {
    const { row } = parseTrashed(record)
    if (row.owns_bytes === 0) {
      background.start("remove the kept bytes of a removed fileset", (signal) => removeKept(context, row, signal))
    } else if (!isMoved(row, context)) removals.wake()
  }
  removedRecords.wake()
}

async function relieveDisk(context: RegistryContext): Promise<boolean> {
  const { database, trash, log } = context
  if (trash === undefined) return false
  const oldest = await database.read((queries) =>
    queries.selectFrom("trash_entries").selectAll().orderBy("removed_at").limit(GROUP).execute(),
  )
  let freed = 0
  for (const entry of oldest) {
    if (freed >= RELIEF) break
    const { row } = parseTrashed(entry.record)
    if (!isMoved(row, context) || entry.bytes === 0) continue
    try {
      await dropWhere(context, sql<boolean>`id = ${entry.id}`)
    } catch (error) {
      // The database may have no room for it.
      log.warn({ err: error }, "Could not empty the trash of a full disk")
      break
    }
    await trash.empty(entry.id)
    freed += entry.bytes ?? 0
  }
  return freed > 0
}
