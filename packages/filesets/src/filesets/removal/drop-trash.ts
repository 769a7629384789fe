import { sql, type Selectable } from "kysely"
import { parseTrashedJob, type Queries, type TrashEntryTable, type Condition } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"
import { removeKept, settleTrash } from "./remove-filesets.ts"
import { dropEntries, isMoved, parseTrashed } from "./trash-entries.ts"

export type Entry = Selectable<TrashEntryTable>

/** Entries that are deleted in one transaction. A small number, so that other transactions do not wait long. */
export const GROUP = 100

export async function* dropAll(context: FilesetsContext, condition: Condition): AsyncGenerator<readonly Entry[]> {
  for (;;) {
    const entries = await dropWhere(context, condition)
    if (entries.length > 0) yield entries
    if (entries.length < GROUP) return
  }
}

/** Takes entries out of the trash, those that were removed first, and deletes their files in the background. */
export async function dropWhere(context: FilesetsContext, condition: Condition): Promise<readonly Entry[]> {
  const { entries, results } = await context.database.write(async (queries) => {
    const dropped = await dropIn(queries, context, condition)
    return { entries: dropped, results: await dropResults(queries, dropped) }
  })
  deleteDropped(context, [...entries, ...results])
  return entries
}

async function dropIn(queries: Queries, { database }: FilesetsContext, condition: Condition) {
  const entries = await queries
    .selectFrom("trash_entries")
    .selectAll()
    .where(condition)
    .orderBy("removed_at")
    .limit(GROUP)
    .modifyEnd(database.dialect.forUpdate)
    .execute()
  await dropEntries(
    queries,
    entries.filter(({ kind }) => kind !== "job"),
  )
  // The record of a job stays until its rows and its run are deleted, which is the work of others.
  const jobs = entries.flatMap(({ id, kind, record }) => (kind === "job" ? [id] : (parseTrashed(record).job ?? [])))
  if (jobs.length > 0) {
    await queries.updateTable("trash_entries").set({ removed_until: 0 }).where("id", "in", jobs).execute()
  }
  return entries
}

/** Takes the results of removed jobs out of the trash. */
async function dropResults(queries: Queries, entries: readonly Entry[]): Promise<readonly Entry[]> {
  const ids = entries.flatMap(({ kind, record }) => (kind === "job" ? (parseTrashedJob(record).results ?? []) : []))
  if (ids.length === 0) return []
  const results = await queries
    .selectFrom("trash_entries")
    .selectAll()
    .where("id", "in", ids)
    .where("kind", "=", "results")
    .execute()
  await dropEntries(queries, results)
  return results
}

/**
 * Takes all removed filesets of a workspace out of the trash, in the transaction that removes it. `deleteDropped` comes after it. The
 * entries of jobs go with the workspace, as the jobs do.
 */
export async function dropOfWorkspace(
  queries: Queries,
  context: FilesetsContext,
  workspace: string,
): Promise<readonly Entry[]> {
  const dropped: Entry[] = []
  for (;;) {
    const entries = await dropIn(queries, context, sql<boolean>`kind <> 'job' and workspace = ${workspace}`)
    dropped.push(...entries)
    if (entries.length < GROUP) return dropped
  }
}

/** Deletes the files of filesets that the trash had, in the background. After a crash, the next start does it. */
export function deleteDropped(context: FilesetsContext, entries: readonly Entry[]): void {
  if (entries.length === 0) return
  const { background, removals, removedRecords } = context
  const filesets = entries.filter(({ kind }) => kind !== "job")
  background.start("delete the files of removed filesets", (signal) =>
    settleTrash(
      context,
      filesets.map(({ id }) => id),
      signal,
    ),
  )
  for (const { record } of filesets) {
    const { row } = parseTrashed(record)
    if (row.owns_bytes === 0) {
      background.start("remove the kept bytes of a removed fileset", (signal) => removeKept(context, row, signal))
    } else if (!isMoved(row, context)) removals.wake()
  }
  removedRecords.wake()
}
