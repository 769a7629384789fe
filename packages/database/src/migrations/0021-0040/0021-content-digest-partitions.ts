import type { Queries } from "../../database.ts"
import type { SqlDialect } from "../../sql-dialect.ts"

/** Partitions the digests of contents on PostgreSQL. Statements of the version before find the same table. */
export async function contentDigestPartitions(queries: Queries, dialect: SqlDialect): Promise<void> {
  await dialect.partitionDigests(queries)
}
