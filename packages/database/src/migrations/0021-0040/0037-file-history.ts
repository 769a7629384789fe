import { sql, type ColumnDefinitionBuilder } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

const required = (column: ColumnDefinitionBuilder) => column.notNull()

/** Adds the records of changes, of kept versions of files, and of tags. They outlive their fileset until they are swept. */
export async function fileHistory({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .createTable("file_changes")
    .addColumn("fileset_id", types.text, required)
    .addColumn("id", types.text, required)
    .addColumn("began_at", types.integer, required)
    .addColumn("ended_at", types.integer, required)
    .addColumn("author", types.text, required)
    .addColumn("title", types.text, required)
    .addColumn("added", types.integer, required)
    .addColumn("replaced", types.integer, required)
    .addColumn("deleted", types.integer, required)
    .addColumn("commit_id", types.text)
    .addPrimaryKeyConstraint("file_changes_key", ["fileset_id", "id"])
    .execute()
  await schema.createIndex("file_changes_by_time").on("file_changes").columns(["fileset_id", "ended_at"]).execute()
  await schema
    .createTable("kept_files")
    .addColumn("fileset_id", types.text, required)
    .addColumn("id", types.text, required)
    .addColumn("path", types.text, required)
    .addColumn("size", types.integer, required)
    .addColumn("version", types.text, required)
    .addColumn("sha256", types.text)
    .addColumn("written_at", types.integer)
    .addColumn("replaced_at", types.integer, required)
    .addColumn("is_deleted", types.integer, required)
    .addColumn("change_id", types.text, required)
    .addColumn("gone_at", types.integer)
    .addColumn("gone_why", types.text)
    .addPrimaryKeyConstraint("kept_files_key", ["fileset_id", "id"])
    .execute()
  await schema.createIndex("kept_files_by_path").on("kept_files").columns(["fileset_id", "path", "id"]).execute()
  await schema.createIndex("kept_files_by_digest").on("kept_files").columns(["fileset_id", "sha256"]).execute()
  await schema
    .createIndex("kept_files_by_time")
    .on("kept_files")
    .columns(["replaced_at", "size"])
    .where(sql.ref("gone_at"), "is", null)
    .execute()
  await schema.createIndex("kept_files_by_end").on("kept_files").columns(["gone_at"]).execute()
  await schema
    .createTable("fileset_tags")
    .addColumn("fileset_id", types.text, required)
    .addColumn("name", types.text, required)
    .addColumn("commit_id", types.text, required)
    .addColumn("message", types.text, required)
    .addColumn("created_at", types.integer, required)
    .addPrimaryKeyConstraint("fileset_tags_key", ["fileset_id", "name"])
    .execute()
}
