import { paginate, type Pagination } from "@assay/schemas"
import { sql, type SelectQueryBuilder } from "kysely"
import type { PageQuery } from "../registry.ts"
import type { Database, Queries } from "./database.ts"
import { pageOffset } from "./page-offset.ts"
import type { Tables } from "./tables.ts"

/** A page of the records that a query finds, in its order, and the number of all of them at the same moment. */
export async function readRecords<Table extends keyof Tables, Row>(
  database: Database,
  query: PageQuery,
  build: (queries: Queries) => SelectQueryBuilder<Tables, Table, Row>,
): Promise<{ rows: readonly Row[]; pagination: Pagination }> {
  const read = database.prepareTogether<{ total: number }, Row>((queries) => {
    const found = build(queries)
    const counted = queries.selectFrom(found.as("found")).select(sql<number>`count(*)`.as("total"))
    return [counted, found.limit(query.page_size).offset(pageOffset(query))]
  })
  const [counts, rows] = await read.run()
  return { rows, pagination: paginate(query.page, query.page_size, rows.length, counts[0]?.total ?? 0) }
}
