import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds ends of jobs that are still to be reported, and the servers that report them. Servers of the version before note no ends. */
export async function webhookEvents({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .createTable("webhook_events")
    .addColumn("id", types.text, (column) => column.notNull().primaryKey())
    .addColumn("job_id", types.text, (column) => column.notNull())
    .addColumn("data", types.text, (column) => column.notNull())
    .addColumn("tries", types.integer, (column) => column.notNull())
    .addColumn("created_at", types.integer, (column) => column.notNull())
    .addColumn("due_at", types.integer, (column) => column.notNull())
    .execute()
  await schema.createIndex("webhook_events_by_due_at").on("webhook_events").column("due_at").execute()
  await schema
    .createTable("webhook_senders")
    .addColumn("id", types.text, (column) => column.notNull().primaryKey())
    .addColumn("seen_at", types.integer, (column) => column.notNull())
    .execute()
}
