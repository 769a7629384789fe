import { resolve } from "node:path"
import type { BackupRecords } from "@assay/registry"
import type { Settings } from "../../../../apps/server/src/settings/settings-schema.ts"

/** The folder of the default storage; undefined where that is an object store. */
export function localStorageFolder(settings: Settings, dataFolder: string): string | undefined {
  const storage = settings.ASSAY_DEFAULT_STORAGE
  if (storage === undefined) return resolve(dataFolder, "storage")
  return storage.type === "local" ? resolve(storage.path) : undefined
}

export interface NotIncluded {
  /** Parts of the server itself, without which it can't be restored. */
  readonly missing: readonly string[]
  /** What is kept elsewhere by the choice of users. */
  readonly elsewhere: readonly string[]
}

/** What a backup of this machine can't hold, and how it is backed up instead. */
export async function describeNotIncluded(
  settings: Settings,
  records: Pick<BackupRecords, "countElsewhere">,
): Promise<NotIncluded> {
  const missing: string[] = []
  if (settings.DATABASE_URL !== undefined) {
    missing.push("The database is PostgreSQL: back it up with pg_dump, right before this command.")
  }
  const isObjectStore = settings.ASSAY_DEFAULT_STORAGE?.type === "objstore"
  if (isObjectStore) {
    missing.push("The default storage is an object store: turn on the versioning or replication of its bucket.")
  }
  const elsewhere = (await records.countElsewhere())
    .filter(({ storage_type }) => !(isObjectStore && storage_type === "objstore"))
    .map(({ storage_type, filesets }) => {
      const count = `${filesets} fileset${filesets === 1 ? "" : "s"}`
      return `The files of ${count} on storage of the type ${storage_type}: their records are in the backup, their files stay where they are.`
    })
  return { missing, elsewhere }
}
