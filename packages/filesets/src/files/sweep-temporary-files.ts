import { sql, type SqlBool } from "kysely"
import { sweepTemporaryFiles } from "@assay/storage"
import { type Queries, readPages } from "@assay/database"
import { FILESET_COLUMNS, type FilesetRow } from "../filesets/fileset-row.ts"
import type { FilesetsContext } from "../filesets-context.ts"
import { storageOf } from "../storages/storage-configuration.ts"

interface SweepFoldersOptions {
  /** Milliseconds since 1970, UTC. Temporary files that were changed later are kept. */
  readonly olderThan: number
  readonly signal: AbortSignal
}

const BATCH = 100

/** Returns the query for the filesets in users' local folders. An index has them, so it does not read the others. */
export function usersFolders(queries: Queries) {
  return queries.selectFrom("filesets").select(FILESET_COLUMNS).where(IS_USERS_FOLDER).orderBy("id")
}

/** The condition of an index. As parameters, its values would keep SQLite from the use of the index. */
const IS_USERS_FOLDER = sql<SqlBool>`storage_type = 'local' and owns_bytes = 0`

/**
 * Removes the temporary files of writes that a crash ended, from the default storage and from users' local folders.
 */
export async function sweepLocalFolders(context: FilesetsContext, options: SweepFoldersOptions): Promise<void> {
  const { database, defaultStorage } = context
  if (defaultStorage.type === "local") await sweepTemporaryFiles(defaultStorage.path, options)
  const pages = readPages<FilesetRow>(
    (last, limit) =>
      database.read((queries) =>
        usersFolders(queries)
          .where("id", ">", last?.id ?? "")
          .limit(limit)
          .execute(),
      ),
    BATCH,
  )
  for await (const rows of pages) {
    for (const row of rows) {
      const storage = storageOf(row, defaultStorage)
      if (storage.type === "local") await sweepTemporaryFiles(storage.path, options)
    }
  }
}
