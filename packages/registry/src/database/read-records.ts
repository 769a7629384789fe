import { paginate, type Pagination } from "@assay/schemas"
import { sql, type SelectQueryBuilder } from "kysely"
import type { PageQuery } from "../registry.ts"
import type { Database, Queries } from "./database.ts"
import { pageOffset } from "./page-offset.ts"
import type { Tables } from "./tables.ts"

export interface RecordQuery extends PageQuery {
  /** Records from elsewhere that stand in front of the first one, and are counted with them. Default 0. */
  readonly leading?: number
}

/** A page of the records that a query finds, in its order, and the number of all of them at the same moment. */
export async function readRecords<Table extends keyof Tables, Row>(
  database: Database,
  { leading = 0, ...query }: RecordQuery,
  build: (queries: Queries) => SelectQueryBuilder<Tables, Table, Row>,
): Promise<{ rows: readonly Row[]; pagination: Pagination }> {
  const offset = pageOffset(query)
  const shown = Math.min(query.page_size, Math.max(0, leading - offset))
  const read = database.prepareTogether<{ total: number }, Row>((queries) => {
    const found = build(queries)
    const counted = queries.selectFrom(found.as("found")).select(sql<number>`count(*)`.as("total"))
    return [counted, found.limit(query.page_size - shown).offset(Math.max(0, offset - leading))]
  })
  const [counts, rows] = await read.run()
  const total = leading + (counts[0]?.total ?? 0)
  return { rows, pagination: paginate(query.page, query.page_size, shown + rows.length, total) }
}
