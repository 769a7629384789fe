import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds what is known of the signature of a fileset's files, as JSON. Filesets of earlier versions have none. */
export async function filesetSignatures({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema.alterTable("filesets").addColumn("signature", types.text).execute()
}
