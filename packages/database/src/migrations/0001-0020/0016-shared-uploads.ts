import type { ColumnDefinitionBuilder } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Adds the tables of uploads in progress that any server of a shared database continues. */
export async function sharedUploads({ schema }: Queries, { types, clustered }: SqlDialect): Promise<void> {
  await schema
    .createTable("uploads")
    .addColumn("id", types.text, (column) => required(column).primaryKey())
    .addColumn("fileset_id", types.text, required)
    .addColumn("workspace", types.text, required)
    .addColumn("fileset", types.text, required)
    .addColumn("path", types.text, required)
    .addColumn("length", types.integer, required)
    .addColumn("sha256", types.text)
    .addColumn("received", types.integer, required)
    .addColumn("completed", types.integer, required)
    .addColumn("expires_at", types.integer, required)
    .addColumn("lease", types.text, required)
    .addColumn("leased_until", types.integer, required)
    .execute()
  await schema.createIndex("uploads_by_digest").on("uploads").columns(["fileset_id", "sha256"]).execute()
  await schema.createIndex("uploads_by_expiry").on("uploads").column("expires_at").execute()
  await schema
    .createTable("upload_pieces")
    .addColumn("upload_id", types.text, (column) => required(column).references("uploads.id").onDelete("cascade"))
    .addColumn("start", types.integer, required)
    .addColumn("size", types.integer, required)
    .addColumn("path", types.text, required)
    .addPrimaryKeyConstraint("upload_pieces_key", ["upload_id", "start"])
    .modifyEnd(clustered)
    .execute()
}
