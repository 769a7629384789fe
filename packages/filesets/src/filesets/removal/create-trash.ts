import { sql } from "kysely"
import {
  parseTrashedJob,
  readSteadyTime,
  allOf,
  isWithin,
  type Condition,
  checkWorkspace,
  notInTrash,
  workspaceNotFound,
  readRecords,
} from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"
import { filesetOf } from "../fileset-row.ts"
import type { FilesetTrash, TrashItem } from "./trash.ts"
import { restoreFileset } from "./restore-fileset.ts"
import { isMoved, parseTrashed } from "./trash-entries.ts"
import { type Entry, GROUP, dropAll, dropWhere } from "./drop-trash.ts"

/** Bytes that a full disk gets at least, if the trash has so many. */
const RELIEF = 67_108_864

export interface TrashParts {
  readonly trash: FilesetTrash
  /** Deletes the filesets that were removed first, because the disk is full. Returns false if there were none on it. */
  readonly relieve: () => Promise<boolean>
}

export function createFilesetTrash(context: FilesetsContext): TrashParts {
  const { database, defaultStorage } = context
  /** The results of a removed job are part of its entry. */
  const isEntry = sql<boolean>`kind <> 'results' and removed_until > 0`
  const of = (workspace: string) => allOf([isEntry, sql<boolean>`workspace = ${workspace}`])
  const trash: FilesetTrash = {
    async list(workspace, { name, ...query }, visible) {
      if (workspace !== undefined && visible !== "all" && !visible.includes(workspace))
        throw workspaceNotFound(workspace)
      const time = await database.read(async (queries) => {
        if (workspace !== undefined) await checkWorkspace(queries, workspace)
        return readSteadyTime(queries, context)
      })
      const condition = allOf([
        isEntry,
        isWithin("workspace", workspace === undefined ? visible : [workspace]),
        sql<boolean>`removed_until > ${time}`,
        ...(name === undefined ? [] : [sql<boolean>`name = ${name}`]),
      ])
      const { rows, pagination } = await readRecords(database, query, (queries) =>
        queries.selectFrom("trash_entries").selectAll().where(condition).orderBy("removed_at", "desc").orderBy("id"),
      )
      return { data: rows.map(itemOf), pagination, bytes: await sumBytes(context, condition) }
    },

    kindOf: (workspace, id) => findKind(context, { workspace, id }, of(workspace)),

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
      let jobs = 0
      let bytes = 0
      for await (const entries of dropAll(context, of(workspace))) {
        const ofJobs = entries.filter(({ kind }) => kind === "job").length
        filesets += entries.length - ofJobs
        jobs += ofJobs
        bytes += sumOf(entries)
      }
      return { filesets, jobs, bytes }
    },

    async sweep() {
      const time = await database.read((queries) => readSteadyTime(queries, context))
      for await (const _ of dropAll(context, sql<boolean>`kind <> 'job' and removed_until <= ${time}`));
    },
  }
  return { trash, relieve: () => relieveDisk(context) }
}

/** Returns whether an entry is of a fileset or of a job. @throws `not_found` */
async function findKind(
  { database }: FilesetsContext,
  address: { readonly workspace: string; readonly id: string },
  ofWorkspace: Condition,
): Promise<TrashItem["kind"]> {
  const { id } = address
  const entry = await database.read((queries) =>
    queries
      .selectFrom("trash_entries")
      .select("kind")
      .where(allOf([ofWorkspace, sql<boolean>`id = ${id}`]))
      .executeTakeFirst(),
  )
  if (entry === undefined) throw notInTrash(address)
  return entry.kind === "job" ? "job" : "fileset"
}

function itemOf({ id, kind, workspace, name, removed_at, removed_by, removed_until, bytes, record }: Entry): TrashItem {
  const times = { removedAt: removed_at, removedBy: removed_by, removedUntil: removed_until }
  const description = kind === "job" ? parseTrashedJob(record).description : parseTrashed(record).row.description
  return { id, kind: kind === "job" ? kind : "fileset", workspace, name, description, ...times, bytes }
}

const sumOf = (entries: readonly Entry[]) => entries.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0)

async function sumBytes({ database }: FilesetsContext, condition: Condition): Promise<number> {
  const row = await database.read((queries) =>
    queries
      .selectFrom("trash_entries")
      .select(sql<number | string>`coalesce(sum(bytes), 0)`.as("bytes"))
      .where(condition)
      .executeTakeFirst(),
  )
  return Number(row?.bytes ?? 0)
}

async function relieveDisk(context: FilesetsContext): Promise<boolean> {
  const { database, removedFolders, log } = context
  if (removedFolders === undefined) return false
  const oldest = await database.read((queries) =>
    queries
      .selectFrom("trash_entries")
      .selectAll()
      .where("kind", "!=", "job")
      .orderBy("removed_at")
      .limit(GROUP)
      .execute(),
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
    await removedFolders.empty(entry.id)
    freed += entry.bytes ?? 0
  }
  return freed > 0
}
