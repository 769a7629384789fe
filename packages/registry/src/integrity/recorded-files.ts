import { sql } from "kysely"
import type { Database } from "../database/database.ts"
import type { Sum } from "./check-database.ts"
import { FILESET_COLUMNS, type FilesetRow } from "../filesets/fileset-row.ts"

const PAGE = 1000

/** The filesets whose bytes lie on the default storage, in the order of their ids. */
export async function* ownFilesets(database: Database): AsyncGenerator<FilesetRow, void, undefined> {
  for (let last = ""; ;) {
    const after = last
    const rows = await database.read((queries) =>
      queries
        .selectFrom("filesets")
        .select(FILESET_COLUMNS)
        .where("owns_bytes", "=", 1)
        .where("id", ">", after)
        .orderBy("id")
        .limit(PAGE)
        .execute(),
    )
    yield* rows
    if (rows.length < PAGE) return
    last = rows.at(-1)?.id ?? last
  }
}

/** The paths that have digests on record in a fileset, in code-point order, each once. */
export async function* recordedPaths(database: Database, filesetId: string): AsyncGenerator<string, void, undefined> {
  for (let last = ""; ;) {
    const after = last
    const rows = await database.read((queries) =>
      queries
        .selectFrom("file_digests")
        .select("path")
        .distinct()
        .where("fileset_id", "=", filesetId)
        .where("path", ">", after)
        .orderBy("path")
        .limit(PAGE)
        .execute(),
    )
    for (const { path } of rows) yield path
    if (rows.length < PAGE) return
    last = rows.at(-1)?.path ?? last
  }
}

/** The versions of a path that are on record, each as a text of its own. */
export async function recordedVersions(
  database: Database,
  filesetId: string,
  path: string,
): Promise<readonly string[]> {
  const rows = await database.read((queries) =>
    queries
      .selectFrom("file_digests")
      .select(["size", "mtime_ns", "sha256"])
      .where((row) => row.and({ fileset_id: filesetId, path }))
      .execute(),
  )
  return rows.map(({ size, mtime_ns, sha256 }) => `${size} ${mtime_ns} ${sha256}`)
}

/** The digests on record of all versions of a path. */
export async function recordedDigests(database: Database, filesetId: string, path: string): Promise<readonly string[]> {
  const rows = await database.read((queries) =>
    queries
      .selectFrom("file_digests")
      .select("sha256")
      .where((row) => row.and({ fileset_id: filesetId, path }))
      .execute(),
  )
  return rows.map(({ sha256 }) => sha256)
}

/** How many files are on record with a digest, and their bytes. */
export async function recordedTotals(database: Database): Promise<{ totalFiles: number; totalBytes: number }> {
  const { rows } = await database.read((queries) =>
    sql<{ files: number; bytes: Sum }>`select
      (select count(*) from file_digests) + (select count(*) from cache_entries) as files,
      (select coalesce(sum(size), 0) from file_digests) + (select coalesce(sum(size), 0) from cache_entries) as bytes`.execute(
      queries,
    ),
  )
  return { totalFiles: rows[0]?.files ?? 0, totalBytes: Number(rows[0]?.bytes ?? 0) }
}
