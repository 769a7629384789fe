import type { FilePath, FileHistory } from "@assay/storage"
import { sql, type Insertable, type Selectable } from "kysely"
import { type Queries, groupTasksBy, type GoneReason, type KeptFileTable } from "@assay/database"
import { revisionFileOf } from "../revisions/revisions.ts"
import { keptId } from "../storages/kept-id.ts"
import { createCorrections } from "./create-corrections.ts"
import { createFindChange, type RecordedChange } from "./change-groups.ts"
import { type RecordsContext, countChange, createNewFileCounts, forgetEmptyChange } from "./new-file-counts.ts"

export type KeptRow = Selectable<KeptFileTable>

/** The history of files as storages use it. */
export interface KeptRecords {
  /** Returns the history of a fileset. */
  readonly of: (filesetId: string) => FileHistory
  /** Stores what has been counted or corrected but not stored. */
  flush(): Promise<void>
}

export interface HistoryLimits {
  /** Days after which kept bytes expire. 0: nothing is kept. */
  readonly days: number
  /** Bytes that a fileset keeps at most. */
  readonly maxBytes: number
}

interface Task {
  readonly row: Insertable<KeptFileTable>
  readonly change: RecordedChange
}

/** @param onKept called with the id of a fileset after bytes were kept */
export function createKeptRecords(
  context: RecordsContext,
  { maxBytes }: HistoryLimits,
  onKept: (filesetId: string) => void,
): KeptRecords {
  const { database, newId } = context
  const findChange = createFindChange(context)
  const counts = createNewFileCounts(context)
  const insert = groupTasksBy<Task>(
    ({ row }) => row.fileset_id,
    (tasks) => insertAll(context, tasks),
  )
  const corrections = createCorrections(context)

  const of = (fileset_id: string): FileHistory => ({
    async keep({ file, isDeleted, change: by }) {
      const change = findChange(fileset_id, by)
      const { path, size, version, sha256 } = revisionFileOf(file)
      const id = keptId(fileset_id, change.at, newId("kept"))
      const isTooLarge = size > maxBytes
      const row = {
        fileset_id,
        id,
        path,
        size,
        version,
        sha256,
        written_at: file.updatedAt === null ? null : Math.floor(file.updatedAt),
        replaced_at: change.at,
        is_deleted: isDeleted ? 1 : 0,
        change_id: change.id,
        gone_at: isTooLarge ? change.at : null,
        gone_why: isTooLarge ? ("limit" as const) : null,
      }
      await insert({ row, change })
      if (isTooLarge) return undefined
      onKept(fileset_id)
      return {
        id,
        cancel: (why) =>
          corrections.add((queries) =>
            why === "not kept" ? markGone(queries, [row], { at: change.at, why: "no_room" }) : forget(queries, row),
          ),
      }
    },
    settle: () => database.settle(),
    noteNew: (by) => counts.add(fileset_id, findChange(fileset_id, by), 1),
    undoNew: (by) => counts.add(fileset_id, findChange(fileset_id, by), -1),
    undo: (path, etag) => undoLast(context, fileset_id, path, etag),
  })
  const flush = async () => {
    await corrections.flush()
    await counts.flush()
  }
  return { of, flush }
}

/** Stores versions of one fileset, and counts them for their changes. */
async function insertAll({ database }: RecordsContext, tasks: readonly Task[]): Promise<void> {
  const byChange = Map.groupBy(tasks, ({ change }) => change.id)
  await database.write(
    async (queries) => {
      await queries
        .insertInto("kept_files")
        .values(tasks.map(({ row }) => row))
        .execute()
      for (const group of byChange.values()) {
        const [first] = group
        if (first === undefined) continue
        const deleted = group.filter(({ row }) => row.is_deleted === 1).length
        const counted = { added: 0, deleted, replaced: group.length - deleted }
        const at = Math.max(...group.map(({ change }) => change.at))
        await countChange(queries, first.row.fileset_id, { change: { ...first.change, at }, ...counted })
      }
    },
    { durable: false },
  )
}

/** Forgets a version that was not replaced or deleted after all. To forget it again changes nothing. */
export async function forget(
  queries: Queries,
  row: Pick<KeptRow, "fileset_id" | "id" | "is_deleted" | "change_id">,
): Promise<void> {
  const { fileset_id, id, is_deleted, change_id } = row
  const { numDeletedRows } = await queries
    .deleteFrom("kept_files")
    .where((kept) => kept.and({ fileset_id, id }))
    .executeTakeFirst()
  if (numDeletedRows === 0n) return
  const column = is_deleted === 1 ? "deleted" : "replaced"
  await sql`update file_changes set ${sql.ref(column)} = ${sql.ref(column)} - 1
    where fileset_id = ${fileset_id} and id = ${change_id}`.execute(queries)
  await forgetEmptyChange(queries, fileset_id, change_id)
}

async function undoLast(
  { database }: RecordsContext,
  fileset_id: string,
  path: FilePath,
  version: string,
): Promise<readonly string[]> {
  return database.write(
    async (queries) => {
      const row = await queries
        .selectFrom("kept_files")
        .select(["fileset_id", "id", "is_deleted", "change_id"])
        .where((kept) => kept.and({ fileset_id, path, version }))
        .orderBy("id", "desc")
        .limit(1)
        .executeTakeFirst()
      if (row === undefined) return []
      await forget(queries, row)
      return [row.id]
    },
    { durable: false },
  )
}

/** Records that the bytes of versions are gone. */
export async function markGone(
  queries: Queries,
  rows: readonly Pick<KeptRow, "fileset_id" | "id">[],
  { at, why }: { readonly at: number; readonly why: GoneReason },
): Promise<void> {
  for (const [fileset_id, group] of Map.groupBy(rows, (row) => row.fileset_id)) {
    await queries
      .updateTable("kept_files")
      .set({ gone_at: at, gone_why: why })
      .where("fileset_id", "=", fileset_id)
      .where(
        "id",
        "in",
        group.map(({ id }) => id),
      )
      .where("gone_at", "is", null)
      .execute()
  }
}
