import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the folder of filesets. A renamed fileset keeps its folder, so the folder can differ from the name. */
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
