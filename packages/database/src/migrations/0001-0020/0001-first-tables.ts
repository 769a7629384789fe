import { sql } from "kysely"
import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds workspaces, projects, secrets, filesets and the digests of their files. */
export async function firstTables(queries: Queries, dialect: SqlDialect): Promise<void> {
  const { types, clustered } = dialect
  const { schema } = queries
  const named = (table: string) =>
    schema
      .createTable(table)
      .addColumn("name", types.text, (column) => column.notNull())
      .addColumn("description", types.text, (column) => column.notNull())
      .addColumn("created_at", types.integer, (column) => column.notNull())
      .addColumn("updated_at", types.integer, (column) => column.notNull())
  const inWorkspace = (table: string) =>
    named(table).addColumn("workspace", types.text, (column) =>
      column.notNull().references("workspaces.name").onDelete("cascade"),
    )

  await named("workspaces")
    .addColumn("id", types.text, (column) => column.notNull().unique())
    .addPrimaryKeyConstraint("workspaces_key", ["name"])
    .execute()
  await inWorkspace("projects")
    .addColumn("id", types.text, (column) => column.notNull().unique())
    .addPrimaryKeyConstraint("projects_key", ["workspace", "name"])
    .execute()
  await inWorkspace("secrets")
    .addColumn("value", types.bytes, (column) => column.notNull())
    .addColumn("data_key", types.bytes, (column) => column.notNull())
    .addColumn("key_name", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("secrets_key", ["workspace", "name"])
    .execute()
  await inWorkspace("filesets")
    .addColumn("seq", types.key)
    .addColumn("id", types.text, (column) => column.notNull().unique())
    .addColumn("purpose", types.text, (column) => column.notNull())
    .addColumn("storage_type", types.text, (column) => column.notNull())
    .addColumn("storage", types.json, (column) => column.notNull())
    .addColumn("metadata", types.json, (column) => column.notNull())
    .addColumn("custom_fields", types.json, (column) => column.notNull())
    .addColumn("project", types.text, (column) => column.notNull())
    .addColumn("owns_bytes", types.integer, (column) => column.notNull())
    .addColumn("name_folded", types.text, (column) => column.notNull())
    .addColumn("description_folded", types.text, (column) => column.notNull())
    .addColumn("project_folded", types.text, (column) => column.notNull())
    .addColumn("metadata_folded", types.json)
    .addColumn("custom_fields_folded", types.json)
    .addUniqueConstraint("filesets_by_name", ["workspace", "name"])
    .execute()
  await schema
    .createTable("fileset_counts")
    .addColumn("workspace", types.text, (column) => column.notNull())
    .addColumn("purpose", types.text, (column) => column.notNull())
    .addColumn("storage_type", types.text, (column) => column.notNull())
    .addColumn("stripe", types.integer, (column) => column.notNull())
    .addColumn("total", types.integer, (column) => column.notNull())
    .addColumn("changes", types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("fileset_counts_key", ["workspace", "purpose", "storage_type", "stripe"])
    .modifyEnd(clustered)
    .execute()
  await schema
    .createTable("file_digests")
    .addColumn("fileset_id", types.text, (column) => column.notNull().references("filesets.id").onDelete("cascade"))
    .addColumn("path", types.text, (column) => column.notNull())
    .addColumn("size", types.integer, (column) => column.notNull())
    .addColumn("mtime_ns", types.text, (column) => column.notNull())
    .addColumn("sha256", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("file_digests_key", ["fileset_id", "path", "size", "mtime_ns"])
    .modifyEnd(clustered)
    .execute()
  await indexFilesets(queries)
  await dialect.finishSchema(queries)
}

/** Adds an index for each sort order, over all filesets and over those of a workspace, a purpose and a storage type. */
async function indexFilesets({ schema }: Queries): Promise<void> {
  const facets = ["purpose", "storage_type"]
  const groups = [
    { name: "all", leading: [], trailing: facets },
    { name: "workspace", leading: ["workspace"], trailing: ["updated_at"] },
    ...facets.map((facet) => ({ name: facet, leading: ["workspace", facet], trailing: [] })),
  ]
  for (const { name, leading, trailing } of groups) {
    const index = (sort: string) => schema.createIndex(`filesets_of_${name}_${sort}`).on("filesets")
    await index("by_age")
      .columns([...leading, "created_at", "id", ...trailing])
      .execute()
    // Equal values are ordered by ascending id in both directions, so one index can't serve both.
    await index("by_newest")
      .columns([...leading, sql`created_at desc`, "id", ...trailing])
      .execute()
    if (name !== "workspace")
      await index("by_name")
        .columns([...leading, "name", "id", ...trailing])
        .execute()
  }
}
