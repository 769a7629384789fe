import { sql } from "kysely"
import type { Database } from "../database/database.ts"
import { FILESET_COLUMNS, type FilesetRow } from "../filesets/fileset-row.ts"
import { readPages } from "../records/read-records.ts"
import type { Sum } from "./check-database.ts"

const PAGE = 1000

/** Lists the filesets whose bytes are on the default storage, ordered by id. */
export async function* ownFilesets(database: Database): AsyncGenerator<FilesetRow, void, undefined> {
  const pages = readPages<FilesetRow>(
    (last, limit) =>
      database.read((queries) =>
        queries
          .selectFrom("filesets")
          .select(FILESET_COLUMNS)
          .where("owns_bytes", "=", 1)
          .where("id", ">", last?.id ?? "")
          .orderBy("id")
          .limit(limit)
          .execute(),
      ),
    PAGE,
  )
  for await (const rows of pages) yield* rows
}

/** Lists the paths in a fileset that have recorded digests, in code-point order, each once. */
export async function* recordedPaths(database: Database, filesetId: string): AsyncGenerator<string, void, undefined> {
  const pages = readPages<{ readonly path: string }>(
    (last, limit) =>
      database.read((queries) =>
        queries
          .selectFrom("file_digests")
          .select("path")
          .distinct()
          .where("fileset_id", "=", filesetId)
          .where("path", ">", last?.path ?? "")
          .orderBy("path")
          .limit(limit)
          .execute(),
      ),
    PAGE,
  )
  for await (const rows of pages) for (const { path } of rows) yield path
}

/** Returns the recorded versions of a path, each as a distinct text. */
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

/** Returns the recorded digests of all versions of a path. */
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

/** Counts the files with a recorded digest, and their bytes. */
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
