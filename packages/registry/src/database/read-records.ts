import { paginate, type Pagination } from "@assay/schemas"
import { sql, type SelectQueryBuilder } from "kysely"
import type { PageQuery } from "../registry.ts"
import type { Database, Queries } from "./database.ts"
import type { Tables } from "./tables.ts"

/** A page of the records that a query finds, in its order, and the number of all of them at the same moment. */
export async function readRecords<Table extends keyof Tables, Row>(
  database: Database,
  { page, page_size }: PageQuery,
  build: (queries: Queries) => SelectQueryBuilder<Tables, Table, Row>,
): Promise<{ rows: readonly Row[]; pagination: Pagination }> {
  const read = database.prepareTogether<{ total: number }, Row>((queries) => {
    const found = build(queries)
    const counted = queries.selectFrom(found.as("found")).select(sql<number>`count(*)`.as("total"))
    return [counted, found.limit(page_size).offset((page - 1) * page_size)]
  })
  const [counts, rows] = await read.run()
  return { rows, pagination: paginate(page, page_size, rows.length, counts[0]?.total ?? 0) }
}
