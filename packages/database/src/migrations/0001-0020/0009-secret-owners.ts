import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the owner of secrets that were made from inline keys of a job. They are removed with the job. */
export async function secretOwners({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .alterTable("secrets")
    .addColumn("owner", types.text, (column) => column.notNull().defaultTo(""))
    .execute()
  await schema.createIndex("secrets_by_owner").on("secrets").column("owner").execute()
}
