import { sql } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the number of files and bytes of filesets, and counts those whose files the server keeps. */
export async function filesetUsage(queries: Queries, dialect: SqlDialect): Promise<void> {
  const { types, clustered } = dialect
  await queries.schema
    .createTable("fileset_usage")
    .addColumn("fileset_id", types.text, (column) => column.notNull().references("filesets.id").onDelete("cascade"))
    .addColumn("files", types.integer, (column) => column.notNull())
    .addColumn("bytes", types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("fileset_usage_key", ["fileset_id"])
    .modifyEnd(clustered)
    .execute()
  await sql`insert into fileset_usage (fileset_id, files, bytes)
    select filesets.id, count(*), sum(file_digests.size) from file_digests join filesets on filesets.id = file_digests.fileset_id
    where filesets.owns_bytes = 1 and filesets.storage_type = 'local' and (filesets.subfolder = ''
      or substr(file_digests.path, 1, length(filesets.subfolder) + 1) = filesets.subfolder || '/')
    group by filesets.id`.execute(queries)
  await dialect.countFiles(queries)
}
