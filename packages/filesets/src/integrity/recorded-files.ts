import { isAssayError } from "@assay/schemas"
import { compareCodePoints, parseFilePath, type FilePath, type Storage } from "@assay/storage"
import { sql } from "kysely"
import { type Database, readPages } from "@assay/database"
import { FILESET_COLUMNS, type FilesetRow } from "../filesets/fileset-row.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import type { Sum } from "./check-database.ts"
import type { CheckFilesOptions } from "./integrity.ts"

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
async function* recordedPaths(database: Database, filesetId: string): AsyncGenerator<string, void, undefined> {
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
async function recordedVersions(database: Database, filesetId: string, path: string): Promise<readonly string[]> {
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

/** Missing files that are checked again together. */
const SUSPECTS = 500

/** Milliseconds in which a server that deletes a file also removes its digest. */
const SETTLE_MS = 500

/**
 * Lists the files of a fileset, and compares them with the recorded paths, both in order. Reports recorded files that are
 * missing, unless a server is deleting them now.
 */
export async function* filesToVerify(
  { database, remote }: Pick<FilesetsContext, "database" | "remote">,
  fileset: FilesetRow,
  storage: Storage,
  { onDamage, signal }: CheckFilesOptions,
): AsyncGenerator<FilePath, void, undefined> {
  let suspects: string[] = []
  const versionsOf = (path: string) => recordedVersions(database, fileset.id, path)

  async function settleSuspects(): Promise<void> {
    if (suspects.length === 0) return
    const before = new Map<string, readonly string[]>()
    for (const path of suspects) before.set(path, await versionsOf(path))
    await remote.sleep(SETTLE_MS, signal)
    for (const [path, versions] of before) {
      if (!(await isMissing(path, versions))) continue
      const detail = "The file is on record and not on the storage. Write it again, or restore it from a backup."
      onDamage({ kind: "missing", place: locationOf(fileset, path), detail })
    }
    suspects = []
  }
  /** Returns whether a file is lost: its version is still recorded, although a server removes the records of files that it deletes. */
  async function isMissing(path: string, before: readonly string[]): Promise<boolean> {
    try {
      await storage.stat(parseFilePath(path), { signal })
      return false
    } catch (error) {
      if (!isAssayError(error, "not_found")) throw error
      const after = await versionsOf(path)
      return before.some((version) => after.includes(version))
    }
  }

  const recorded = recordedPaths(database, fileset.id)
  let record = await recorded.next()
  async function passRecords(before: string | undefined): Promise<void> {
    const isBefore = (path: string) => before === undefined || compareCodePoints(path, before) < 0
    while (record.done !== true && isBefore(record.value)) {
      suspects.push(record.value)
      if (suspects.length === SUSPECTS) await settleSuspects()
      record = await recorded.next()
    }
    if (record.done !== true && record.value === before) record = await recorded.next()
  }

  for await (const { path } of storage.list({ signal })) {
    await passRecords(path)
    yield path
  }
  await passRecords(undefined)
  await settleSuspects()
}

export function locationOf({ workspace, name }: Pick<FilesetRow, "workspace" | "name">, path: string): string {
  return `${workspace}/${name}#${path}`
}
