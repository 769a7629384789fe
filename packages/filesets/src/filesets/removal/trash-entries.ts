import { sql } from "kysely"
import { readSteadyTime, type Queries } from "@assay/database"
import type { FilesetsContext } from "../../filesets-context.ts"
import { storageOf, wholeOf } from "../../storages/storage-configuration.ts"
import { FILESET_COLUMNS, type FilesetRow } from "../fileset-row.ts"

/** A removed fileset as it was. Its JSON columns are text, so that every digit and the order of keys are kept. */
export interface TrashedFileset {
  readonly row: FilesetRow & { readonly storage: string; readonly metadata: string; readonly custom_fields: string }
  /** Null: not known. */
  readonly usage: { readonly files: number; readonly bytes: number } | null
  /** The id of the removed job whose results these are. */
  readonly job?: string
}

/** How a removed fileset is kept. */
export interface Keeping {
  /** The caller who removes it. Empty: nobody signed in. */
  readonly by: string
  readonly at: number
  /** Milliseconds since 1970. Then it is deleted. */
  readonly until: number
  /** The id of the job that is removed with the fileset of its results. */
  readonly job?: string | undefined
}

type EntryContext = Pick<
  FilesetsContext,
  "database" | "now" | "steadyNow" | "trashMs" | "removedFolders" | "defaultStorage"
>

/** Returns how long a fileset that is removed now is kept. Undefined: it is deleted at once. */
export async function planKeeping(
  queries: Queries,
  context: EntryContext,
  by: string | undefined,
): Promise<Keeping | undefined> {
  if (by === undefined || context.trashMs === 0) return undefined
  const at = await readSteadyTime(queries, context)
  return { by, at, until: at + context.trashMs }
}

/** Reads filesets as the trash keeps them. */
export async function readForTrash(queries: Queries, ids: readonly string[]): Promise<readonly TrashedFileset[]> {
  const text = (name: "storage" | "metadata" | "custom_fields") => sql<string>`cast(${sql.ref(name)} as text)`.as(name)
  const rows = await queries
    .selectFrom("filesets")
    .leftJoin("fileset_usage", "fileset_usage.fileset_id", "filesets.id")
    .select(FILESET_COLUMNS)
    .select([text("storage"), text("metadata"), text("custom_fields")])
    .select(["fileset_usage.files", "fileset_usage.bytes"])
    .where("filesets.id", "in", ids)
    .execute()
  return rows.map(({ files, bytes, ...row }) => ({
    row,
    usage: files === null || bytes === null ? null : { files, bytes },
  }))
}

/**
 * Records removed filesets in the trash, in the transaction that removes them. The records of their files stay, which the removal has just
 * noted for deletion.
 */
export async function keepInTrash(
  queries: Queries,
  context: EntryContext,
  filesets: readonly TrashedFileset[],
  { by, at, until, job }: Keeping,
): Promise<void> {
  const ids = filesets.map(({ row }) => row.id)
  const kept = await queries
    .selectFrom("kept_files")
    .select(["fileset_id", sql<number | string>`sum(size)`.as("bytes")])
    .where("fileset_id", "in", ids)
    .where("gone_at", "is", null)
    .groupBy("fileset_id")
    .execute()
  const keptOf = new Map(kept.map(({ fileset_id, bytes }) => [fileset_id, Number(bytes)]))
  const entries = filesets.map(({ row, usage }) => ({
    id: row.id,
    kind: job === undefined ? ("fileset" as const) : ("results" as const),
    workspace: row.workspace,
    name: row.name,
    removed_at: at,
    removed_by: by,
    removed_until: until,
    bytes: bytesHeld(row, usage, keptOf.get(row.id) ?? 0),
    record: JSON.stringify({ row, usage, ...(job === undefined ? {} : { job }) } satisfies TrashedFileset),
  }))
  await queries.insertInto("trash_entries").values(entries).execute()
  await queries.deleteFrom("removed_fileset_records").where("fileset_id", "in", ids).execute()
}

/** Returns the bytes that the deletion of a removed fileset frees. Files on storage of others stay; only their former versions go. */
function bytesHeld(row: FilesetRow, usage: TrashedFileset["usage"], kept: number): number | null {
  if (row.owns_bytes === 0) return kept
  // Triggers count files on a local storage. Without a row there is none.
  if (usage === null) return row.storage_type === "local" ? kept : null
  return usage.bytes + kept
}

/** Returns a removed fileset from its record. */
export function parseTrashed(record: string): TrashedFileset {
  return JSON.parse(record) as TrashedFileset
}

/** Returns whether the files of a fileset go into the folder of the trash. Otherwise they stay where they are until they are deleted. */
export function isMoved(
  row: FilesetRow,
  { removedFolders, defaultStorage }: Pick<EntryContext, "removedFolders" | "defaultStorage">,
) {
  return (
    removedFolders !== undefined && row.owns_bytes === 1 && storageOf(wholeOf(row), defaultStorage).type === "local"
  )
}

/** Returns the folder of a restored fileset, below that of its workspace. No other fileset ever gets it. */
export function restoredFolderOf(id: string): string {
  return `~${id}`
}

/** Returns whether a removed fileset is in the trash. */
export async function isInTrash(queries: Queries, id: string): Promise<boolean> {
  const found = await queries.selectFrom("trash_entries").select("id").where("id", "=", id).executeTakeFirst()
  return found !== undefined
}

/**
 * Takes removed filesets out of the trash, to delete them. Their files are deleted after the transaction.
 * @param ids those that the transaction has locked
 */
export async function dropEntries(
  queries: Queries,
  entries: readonly { readonly id: string; readonly removed_until: number }[],
): Promise<void> {
  for (const { id, removed_until } of entries) {
    await queries.deleteFrom("trash_entries").where("id", "=", id).execute()
    // Unless a server deletes them already, which it does after that time.
    await queries
      .updateTable("removed_filesets")
      .set({ leased_until: 0 })
      .where((removed) => removed.and({ id, leased_until: removed_until }))
      .execute()
    await queries
      .insertInto("removed_fileset_records")
      .values({ fileset_id: id })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}
