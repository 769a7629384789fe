import type { FilePath, FileHistory } from "@assay/storage"
import { sql, type Insertable, type Selectable } from "kysely"
import { setTimeout } from "node:timers/promises"
import { type Queries, groupTasksBy, type GoneReason, type KeptFileTable } from "@assay/database"
import type { RegistryContext } from "../registry-context.ts"
import { revisionFileOf } from "../revisions/revisions.ts"
import { keptId } from "../storages/kept-id.ts"
import { createCorrections } from "./create-corrections.ts"
import { createFindChange, type RecordedChange } from "./change-groups.ts"

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

type RecordsContext = Pick<RegistryContext, "database" | "now" | "newId" | "background" | "log">

/** Milliseconds after which counts of new files are stored. */
const COUNT_MS = 500

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
    noteNew: (by) => counts.add(fileset_id, findChange(fileset_id, by)),
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

interface Counted {
  readonly change: RecordedChange
  readonly added: number
  readonly replaced: number
  readonly deleted: number
}

async function countChange(
  queries: Queries,
  filesetId: string,
  { change, added, replaced, deleted }: Counted,
): Promise<void> {
  const { id, at, author, title } = change
  await sql`insert into file_changes (fileset_id, id, began_at, ended_at, author, title, added, replaced, deleted)
    values (${filesetId}, ${id}, ${at}, ${at}, ${author}, ${title}, ${added}, ${replaced}, ${deleted})
    on conflict (fileset_id, id) do update set
      ended_at = case when excluded.ended_at > file_changes.ended_at then excluded.ended_at else file_changes.ended_at end,
      added = file_changes.added + excluded.added,
      replaced = file_changes.replaced + excluded.replaced,
      deleted = file_changes.deleted + excluded.deleted`.execute(queries)
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
  await sql`delete from file_changes where fileset_id = ${fileset_id} and id = ${change_id}
    and added + replaced + deleted <= 0`.execute(queries)
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

/** Counts new files, which leave no version. A crash loses the counts of the last moment. */
function createNewFileCounts({ database, background, log }: RecordsContext) {
  const waiting = new Map<string, { readonly filesetId: string; change: RecordedChange; added: number }>()
  let isDue = false
  let last: Promise<void> = Promise.resolve()

  async function storeAll(): Promise<void> {
    const counted = [...waiting.values()]
    waiting.clear()
    if (counted.length === 0) return
    await database
      .write(
        async (queries) => {
          for (const { filesetId, change, added } of counted) {
            await countChange(queries, filesetId, { change, added, replaced: 0, deleted: 0 })
          }
        },
        { durable: false },
      )
      .catch((error: unknown) => log.warn({ err: error }, "Could not count new files in the history"))
  }

  // A reader waits for the counts that another one has begun to store.
  const flush = (): Promise<void> => (waiting.size === 0 ? last : (last = last.then(storeAll)))

  return {
    flush,
    add(filesetId: string, change: RecordedChange): void {
      const key = `${filesetId} ${change.id}`
      const one = waiting.get(key) ?? { filesetId, change, added: 0 }
      waiting.set(key, one)
      one.added += 1
      one.change = change
      if (isDue) return
      isDue = true
      background.start("count new files in the history", async (signal) => {
        await setTimeout(COUNT_MS, undefined, { signal, ref: false }).catch(() => {})
        isDue = false
        await flush()
      })
    },
  }
}
