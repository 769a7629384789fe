import { AssayError } from "@assay/schemas"
import type { FilePath } from "@assay/storage"
import { sql } from "kysely"
import type { Queries } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import { whyGone } from "../revisions/kept/find-kept.ts"
import type { EndedVersion, HistoryChange, HistoryPage, HistoryQuery } from "./history.ts"
import { keptBytes } from "./keep-within.ts"

type ListContext = Pick<FilesetsContext, "database">

/** Lists changes, newest first; with a path, the versions that ended there. */
export async function listHistory(context: ListContext, filesetId: string, query: HistoryQuery): Promise<HistoryPage> {
  const kept = await keptBytes(context, filesetId)
  const { path } = query
  if (path === undefined) return { ...(await listChanges(context, filesetId, query)), versions: [], kept }
  return { ...(await listVersions(context, filesetId, { ...query, path })), changes: [], kept }
}

async function listChanges(
  { database }: ListContext,
  filesetId: string,
  { limit, before }: HistoryQuery,
): Promise<Pick<HistoryPage, "next"> & { readonly changes: readonly HistoryChange[] }> {
  const mark = before === undefined ? undefined : parseMark(before)
  const rows = await database.read((queries) =>
    queries
      .selectFrom("file_changes")
      .select(["id", "began_at", "ended_at", "author", "title", "added", "replaced", "deleted", "commit_id"])
      .where("fileset_id", "=", filesetId)
      .$if(mark !== undefined, (found) =>
        found.where(sql<boolean>`(ended_at, id) < (${Number(mark?.[0])}, ${mark?.[1] ?? ""})`),
      )
      .orderBy("ended_at", "desc")
      .orderBy("id", "desc")
      .limit(limit + 1)
      .execute(),
  )
  const changes = rows.slice(0, limit).map((row) => ({
    revision: row.commit_id ?? row.id,
    beganAt: row.began_at,
    endedAt: row.ended_at,
    author: row.author,
    title: row.title,
    added: row.added,
    replaced: row.replaced,
    deleted: row.deleted,
    isCommit: row.commit_id !== null,
  }))
  const last = rows[limit - 1]
  return { changes, next: rows.length > limit && last !== undefined ? formatMark(last.ended_at, last.id) : undefined }
}

async function listVersions(
  { database }: ListContext,
  filesetId: string,
  { limit, before, path }: HistoryQuery & { readonly path: FilePath },
): Promise<Pick<HistoryPage, "next"> & { readonly versions: readonly EndedVersion[] }> {
  const mark = before === undefined ? undefined : parseMark(before)[1]
  const rows = await database.read((queries) =>
    queries
      .selectFrom("kept_files")
      .leftJoin("file_changes", (join) =>
        join
          .onRef("file_changes.fileset_id", "=", "kept_files.fileset_id")
          .onRef("file_changes.id", "=", "kept_files.change_id"),
      )
      .select([
        "kept_files.id",
        "path",
        "size",
        "sha256",
        "replaced_at",
        "is_deleted",
        "change_id",
        "gone_at",
        "gone_why",
      ])
      .select(["author", "commit_id"])
      .where("kept_files.fileset_id", "=", filesetId)
      .where((row) => row.or([row("path", "=", path), sql<boolean>`path > ${`${path}/`} and path < ${`${path}0`}`]))
      .$if(mark !== undefined, (found) => found.where("kept_files.id", "<", mark ?? ""))
      .orderBy("kept_files.id", "desc")
      .limit(limit + 1)
      .execute(),
  )
  const versions = rows.slice(0, limit).map((row) => ({
    path: row.path,
    size: row.size,
    sha256: row.sha256,
    endedAt: row.replaced_at,
    isDeleted: row.is_deleted === 1,
    revision: row.commit_id ?? row.change_id,
    author: row.author ?? "",
    gone: row.gone_at === null ? undefined : whyGone(row),
  }))
  const last = rows[limit - 1]
  return { versions, next: rows.length > limit && last !== undefined ? formatMark(0, last.id) : undefined }
}

/** Returns the authors of commits, by commit. */
export async function authorsOf(
  { database }: ListContext,
  filesetId: string,
  commits: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (commits.length === 0) return new Map()
  const rows = await database.read((queries) =>
    queries
      .selectFrom("file_changes")
      .select(["commit_id", "author"])
      .where("fileset_id", "=", filesetId)
      .where("commit_id", "in", commits)
      .execute(),
  )
  return new Map(rows.flatMap(({ commit_id, author }) => (commit_id === null ? [] : [[commit_id, author] as const])))
}

/** Names the commit that a change led to. */
export async function nameCommit(
  { database }: ListContext,
  { filesetId, change, commit }: { readonly filesetId: string; readonly change: string; readonly commit: string },
): Promise<void> {
  const write = (queries: Queries) =>
    queries
      .updateTable("file_changes")
      .set({ commit_id: commit })
      .where((row) => row.and({ fileset_id: filesetId, id: change }))
      .execute()
  await database.write(write, { durable: false })
}

function formatMark(time: number, id: string): string {
  return Buffer.from(`${time} ${id}`).toString("base64url")
}

/** @throws `bad_page_token` */
function parseMark(token: string): readonly [string, string] {
  const found = /^(\d{1,16}) ([\w-]{1,200})$/.exec(Buffer.from(token, "base64url").toString())
  if (found !== null) return [found[1] ?? "", found[2] ?? ""]
  const message =
    "The page token was not issued for this listing; use `next_page_token` of the previous response unchanged."
  throw new AssayError("bad_page_token", message)
}
