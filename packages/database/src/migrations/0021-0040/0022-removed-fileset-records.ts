import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds removed filesets whose records of files still have to be deleted. Before, they were deleted with their fileset. */
export async function removedFilesetRecords(queries: Queries, dialect: SqlDialect): Promise<void> {
  await queries.schema
    .createTable("removed_fileset_records")
    .addColumn("fileset_id", dialect.types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("removed_fileset_records_key", ["fileset_id"])
    .modifyEnd(dialect.clustered)
    .execute()
  await dialect.detachFileRecords(queries)
}
