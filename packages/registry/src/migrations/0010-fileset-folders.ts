import type { Queries } from "../database/database.ts"
import type { SqlDialect } from "../database/sql-dialect.ts"

/** Filesets that were renamed keep their files where they were, so the folder is no longer always the name. */
export async function filesetFolders(queries: Queries, dialect: SqlDialect): Promise<void> {
  const { schema } = queries
  await schema
    .alterTable("filesets")
    .addColumn("folder", dialect.types.text, (column) => column.notNull().defaultTo(""))
    .execute()
  await schema
    .createIndex("filesets_by_folder")
    .on("filesets")
    .columns(["workspace", "folder"])
    .where("folder", "<>", "")
    .execute()
  await dialect.indexRenames(queries)
}
