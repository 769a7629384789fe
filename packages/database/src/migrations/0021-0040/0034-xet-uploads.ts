import type { ColumnDefinitionBuilder } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Adds the tables of files that clients send as chunks. */
export async function xetUploads({ schema }: Queries, { types, clustered }: SqlDialect): Promise<void> {
  await schema
    .createTable("xet_xorbs")
    .addColumn("fileset_id", types.text, required)
    .addColumn("hash", types.text, required)
    .addColumn("chunks", types.bytes, required)
    .addPrimaryKeyConstraint("xet_xorbs_key", ["fileset_id", "hash"])
    .execute()
  await schema
    .createTable("xet_files")
    .addColumn("fileset_id", types.text, required)
    .addColumn("sha256", types.text, required)
    .addColumn("hash", types.text, required)
    .addColumn("size", types.integer, required)
    .addColumn("terms", types.bytes, required)
    .addColumn("committed", types.integer, required)
    .addColumn("expires_at", types.integer, required)
    .addPrimaryKeyConstraint("xet_files_key", ["fileset_id", "sha256"])
    .execute()
  await schema.createIndex("xet_files_by_hash").on("xet_files").columns(["fileset_id", "hash"]).execute()
  await schema.createIndex("xet_files_by_expiry").on("xet_files").columns(["committed", "expires_at"]).execute()
  await schema
    .createTable("xet_uses")
    .addColumn("fileset_id", types.text, required)
    .addColumn("xorb", types.text, required)
    .addColumn("sha256", types.text, required)
    .addPrimaryKeyConstraint("xet_uses_key", ["fileset_id", "xorb", "sha256"])
    .modifyEnd(clustered)
    .execute()
  await schema.createIndex("xet_uses_by_file").on("xet_uses").columns(["fileset_id", "sha256"]).execute()
  await schema
    .createTable("xet_chunks")
    .addColumn("fileset_id", types.text, required)
    .addColumn("chunk", types.text, required)
    .addColumn("xorb", types.text, required)
    .addPrimaryKeyConstraint("xet_chunks_key", ["fileset_id", "chunk"])
    .modifyEnd(clustered)
    .execute()
  await schema.createIndex("xet_chunks_by_xorb").on("xet_chunks").columns(["fileset_id", "xorb"]).execute()
  await schema
    .createTable("xet_losses")
    .addColumn("fileset_id", types.text, (column) => required(column).primaryKey())
    .addColumn("losses", types.integer, required)
    .modifyEnd(clustered)
    .execute()
}
