import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the index of the read cache, and warm-ups. */
export async function readCache(queries: Queries, { types, clustered }: SqlDialect): Promise<void> {
  const { schema } = queries
  await schema
    .createTable("cache_entries")
    .addColumn("key", types.text, (column) => column.notNull())
    .addColumn("size", types.integer, (column) => column.notNull())
    .addColumn("etag", types.text)
    .addColumn("sha256", types.text)
    .addColumn("changed_at", types.integer)
    .addColumn("digest", types.text, (column) => column.notNull())
    .addColumn("used_at", types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("cache_entries_key", ["key"])
    .modifyEnd(clustered)
    .execute()
  await schema.createIndex("cache_entries_by_use").on("cache_entries").columns(["used_at", "key"]).execute()
  await schema
    .createTable("cache_totals")
    .addColumn("bytes", types.integer, (column) => column.notNull())
    .execute()
  await queries.insertInto("cache_totals").values({ bytes: 0 }).execute()
  await schema
    .createTable("cache_warmups")
    .addColumn("fileset_id", types.text, (column) => column.notNull().references("filesets.id").onDelete("cascade"))
    .addColumn("status", types.text, (column) => column.notNull())
    .addColumn("files", types.integer)
    .addColumn("cached_files", types.integer, (column) => column.notNull())
    .addColumn("bytes", types.integer)
    .addColumn("cached_bytes", types.integer, (column) => column.notNull())
    .addColumn("error", types.text)
    .addColumn("asked_at", types.integer, (column) => column.notNull())
    .addColumn("leased_until", types.integer, (column) => column.notNull())
    .addPrimaryKeyConstraint("cache_warmups_key", ["fileset_id"])
    .modifyEnd(clustered)
    .execute()
}
