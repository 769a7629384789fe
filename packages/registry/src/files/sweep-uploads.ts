import { sweepTemporaryFiles } from "@assay/storage"
import { FILESET_COLUMNS, type FilesetRow } from "../filesets/fileset-row.ts"
import { readPages } from "../records/read-records.ts"
import type { RegistryContext } from "../registry-context.ts"
import { storageOf } from "../storages/storage-configuration.ts"

interface SweepUploadsOptions {
  /** Milliseconds since 1970, UTC. Temporary files that were changed later are kept. */
  readonly olderThan: number
  readonly signal: AbortSignal
}

const BATCH = 100

/** Removes the temporary files of uploads that a crash ended, from the default storage and from users' local folders. */
export async function sweepUploads(context: RegistryContext, options: SweepUploadsOptions): Promise<void> {
  const { database, defaultStorage } = context
  if (defaultStorage.type === "local") await sweepTemporaryFiles(defaultStorage.path, options)
  const pages = readPages<FilesetRow>(
    (last, limit) =>
      database.read((queries) =>
        queries
          .selectFrom("filesets")
          .select(FILESET_COLUMNS)
          .where((row) => row.and({ storage_type: "local", owns_bytes: 0 }))
          .where("id", ">", last?.id ?? "")
          .orderBy("id")
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
