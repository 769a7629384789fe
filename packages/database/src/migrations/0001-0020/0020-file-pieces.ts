import type { ColumnDefinitionBuilder } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Adds the pieces of large revisions. Revisions with the same files in a piece share it. */
export async function filePieces({ schema }: Queries, { types, clustered }: SqlDialect): Promise<void> {
  await schema
    .createTable("file_pieces")
    .addColumn("fileset_id", types.text, (column) => required(column).references("filesets.id").onDelete("cascade"))
    .addColumn("digest", types.text, required)
    .addColumn("seen_at", types.integer, required)
    .addColumn("marks", types.bytes, required)
    .addColumn("files", types.bytes, required)
    .addPrimaryKeyConstraint("file_pieces_key", ["fileset_id", "digest"])
    .execute()
  await schema
    .createTable("file_piece_uses")
    .addColumn("fileset_id", types.text, required)
    .addColumn("commit_id", types.text, required)
    .addColumn("digest", types.text, required)
    .addPrimaryKeyConstraint("file_piece_uses_key", ["fileset_id", "commit_id", "digest"])
    .addForeignKeyConstraint(
      "file_piece_uses_commit",
      ["fileset_id", "commit_id"],
      "file_trees",
      ["fileset_id", "commit_id"],
      (key) => key.onDelete("cascade"),
    )
    .addForeignKeyConstraint("file_piece_uses_piece", ["fileset_id", "digest"], "file_pieces", ["fileset_id", "digest"])
    .modifyEnd(clustered)
    .execute()
  await schema.createIndex("file_piece_uses_by_piece").on("file_piece_uses").columns(["fileset_id", "digest"]).execute()
}
