import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Makes the cost of a new fileset independent of the size of the search index. */
export async function searchInBatches(queries: Queries, dialect: SqlDialect): Promise<void> {
  await dialect.searchInBatches(queries)
}
