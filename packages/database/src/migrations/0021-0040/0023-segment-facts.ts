import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Adds the sizes of the facts in a segment. Segments of servers of the version before have no facts. */
export async function segmentFacts({ schema }: Queries, { types }: SqlDialect): Promise<void> {
  await schema.alterTable("evaluation_segments").addColumn("facts", types.text).execute()
}
