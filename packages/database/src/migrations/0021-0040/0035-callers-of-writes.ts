import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds who made a write at the identity provider, from which address, and by which door. They are null in older records. */
export async function callersOfWrites({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  for (const name of ["subject", "address", "door"]) {
    await schema.alterTable("audit_records").addColumn(name, types.text).execute()
  }
}
