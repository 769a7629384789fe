import type { SecretAddress } from "@assay/schemas"
import { sql } from "kysely"
import { readPages } from "@assay/database"
import type { FilesetsContext } from "../filesets-context.ts"
import {
  type DefaultStorage,
  OPERATORS_WORKSPACE,
  secretsOfStorage,
  type StorageColumns,
  storageOf,
} from "./storage-configuration.ts"

/** A fileset and the secrets that its storage names. */
export interface NamedSecrets {
  readonly workspace: string
  readonly name: string
  readonly secrets: readonly SecretAddress[]
}

/** Returns the secrets that the default storage names. */
export function secretsOfDefaultStorage(defaultStorage: DefaultStorage): readonly SecretAddress[] {
  return secretsOfStorage(defaultStorage, OPERATORS_WORKSPACE)
}

/** Lists the filesets on storage that can name secrets. The kept counts show which workspaces have any. */
export async function* secretsOfFilesets({
  database,
  defaultStorage,
}: Pick<FilesetsContext, "database" | "defaultStorage">): AsyncGenerator<NamedSecrets, void, undefined> {
  const groups = await database.read((queries) =>
    queries
      .selectFrom("fileset_counts")
      .select(["workspace", "storage_type"])
      .where("storage_type", "!=", "local")
      .where("workspace", "!=", "")
      .groupBy(["workspace", "storage_type"])
      .having(sql<number>`sum(total)`, ">", 0)
      .execute(),
  )
  for (const { workspace, storage_type } of groups) {
    const pages = readPages<StorageColumns>((last, limit) =>
      database.read((queries) =>
        queries
          .selectFrom("filesets")
          .select(["workspace", "name", "storage", "storage_type", "owns_bytes", "subfolder", "folder"])
          .where("workspace", "=", workspace)
          .where("storage_type", "=", storage_type)
          .where("name", ">", last?.name ?? "")
          .orderBy("name")
          .limit(limit)
          .execute(),
      ),
    )
    for await (const rows of pages) yield* rows.map((row) => namedIn(row, defaultStorage))
  }
}

function namedIn(row: StorageColumns, defaultStorage: DefaultStorage): NamedSecrets {
  const { workspace, name, owns_bytes } = row
  // The secrets of the default storage are the operator's.
  const home = owns_bytes === 1 ? OPERATORS_WORKSPACE : workspace
  return { workspace, name, secrets: secretsOfStorage(storageOf(row, defaultStorage), home) }
}
