import type { Queries } from "../database/database.ts"
import type { SqlDialect } from "../database/sql-dialect.ts"

/** Secrets that were made of keys in a job's body belong to the job, and go with it. */
export async function secretOwners({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema
    .alterTable("secrets")
    .addColumn("owner", types.text, (column) => column.notNull().defaultTo(""))
    .execute()
  await schema.createIndex("secrets_by_owner").on("secrets").column("owner").execute()
}
