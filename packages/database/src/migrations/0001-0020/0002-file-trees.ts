import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds revisions of filesets, and digests of files on storage that does not provide them. */
export async function fileTrees({ schema }: Queries, { types, clustered }: SqlDialect): Promise<void> {
  const ofFileset = (table: string) =>
    schema
      .createTable(table)
      .addColumn("fileset_id", types.text, (column) => column.notNull().references("filesets.id").onDelete("cascade"))
  await ofFileset("file_trees")
    .addColumn("commit_id", types.text, (column) => column.notNull())
    .addColumn("seq", types.integer, (column) => column.notNull())
    .addColumn("created_at", types.integer, (column) => column.notNull())
    .addColumn("title", types.text, (column) => column.notNull())
    .addColumn("files", types.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("file_trees_key", ["fileset_id", "commit_id"])
    .execute()
  await schema.createIndex("file_trees_by_age").on("file_trees").columns(["fileset_id", "seq"]).execute()
  await ofFileset("content_digests")
    .addColumn("path", types.text, (column) => column.notNull())
    .addColumn("version", types.text, (column) => column.notNull())
    .addColumn("sha256", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("content_digests_key", ["fileset_id", "path"])
    .modifyEnd(clustered)
    .execute()
  await schema
    .createIndex("content_digests_by_sha256")
    .on("content_digests")
    .columns(["fileset_id", "sha256"])
    .execute()
}
