import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds what clients say about a model besides its specification, as JSON. Models of earlier versions have none. */
export async function describedModels({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema.alterTable("models").addColumn("described", types.text).execute()
}
