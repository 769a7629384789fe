import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds what a client wrote about its upload. Uploads that servers of the version before began have none. */
export async function uploadMetadata({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema.alterTable("uploads").addColumn("metadata", types.text).execute()
}
