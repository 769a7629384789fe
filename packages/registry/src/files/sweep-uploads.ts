import { sweepTemporaryFiles } from "@assay/storage"
import { FILESET_COLUMNS } from "../filesets/fileset-row.ts"
import { storageOf } from "../storages/storage-configuration.ts"
import type { RegistryContext } from "../registry-context.ts"

export interface SweepUploadsOptions {
  /** Milliseconds since 1970, UTC: uploads that were at work since are not touched. */
  readonly olderThan: number
  readonly signal: AbortSignal
}

const BATCH = 100

/** Removes what uploads left behind that a crash cut short, from the default storage and from folders that users named. */
export async function sweepUploads(context: RegistryContext, options: SweepUploadsOptions): Promise<void> {
  const { database, defaultStorage } = context
  if (defaultStorage.type === "local") await sweepTemporaryFiles(defaultStorage.path, options)
  for (let last = ""; ;) {
    const rows = await database.read((queries) =>
      queries
        .selectFrom("filesets")
        .select(FILESET_COLUMNS)
        .where((row) => row.and({ storage_type: "local", owns_bytes: 0 }))
        .where("id", ">", last)
        .orderBy("id")
        .limit(BATCH)
        .execute(),
    )
    for (const row of rows) {
      const storage = storageOf(row, defaultStorage)
      if (storage.type === "local") await sweepTemporaryFiles(storage.path, options)
    }
    if (rows.length < BATCH) return
    last = rows.at(-1)?.id ?? last
  }
}
