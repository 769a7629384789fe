import type { FileVersion } from "@assay/storage"
import type { Database } from "@assay/database"
import { createDigestIndexes } from "../files/digest-indexes.ts"
import { folderOf } from "../storages/storage-configuration.ts"
import { checkDatabase } from "./check-database.ts"
import { ownFilesets } from "./recorded-files.ts"

interface LocalFileset {
  readonly id: string
  readonly workspace: string
  readonly name: string
  /** The folder of its files, below the folder of its workspace. */
  readonly folder: string
}

/** The records of filesets on a local default storage, as a backup reads them. */
interface LocalFilesets {
  /** Lists the filesets, ordered by id. */
  readonly list: () => AsyncIterable<LocalFileset>
  /** Returns the recorded digest of a version of a file. */
  readonly digestOf: (filesetId: string, version: FileVersion) => Promise<string | undefined>
  /** Returns one sentence for each kind of damage in the database. */
  readonly check: () => Promise<readonly string[]>
}

export function openLocalFilesets(database: Database): LocalFilesets {
  const digestsOf = createDigestIndexes(database)
  return {
    async *list() {
      for await (const row of ownFilesets(database)) {
        const { id, workspace, name, storage_type } = row
        if (storage_type === "local") yield { id, workspace, name, folder: folderOf(row) }
      }
    },
    digestOf: (id, version) => digestsOf(id).get(version),
    check: () => checkDatabase(database),
  }
}
