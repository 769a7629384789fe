import type { BackupRecords } from "./backup-records.ts"
import type { BackupSource } from "./write-backup.ts"

interface NotIncluded {
  /** Parts of the server itself. It can't be restored without them. */
  readonly missing: readonly string[]
  /** Files that users keep on storage of their own. */
  readonly elsewhere: readonly string[]
}

/** Describes what a backup can't hold, and how to back it up instead. */
export async function describeNotIncluded(
  { database, storageFolder }: Pick<BackupSource, "database" | "storageFolder">,
  records: Pick<BackupRecords, "countElsewhere">,
): Promise<NotIncluded> {
  const missing: string[] = []
  if (database.kind === "postgres") {
    missing.push("The database is PostgreSQL: back it up with pg_dump, right before this command.")
  }
  const isObjectStore = storageFolder === undefined
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
