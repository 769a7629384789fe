import { fillSlots, type Database, type Queries, type Select, type SlotValues } from "../../database/database.ts"
import type { ListMemory } from "./list-memory.ts"
import type { ScopeSize } from "./list-counts.ts"
import type { PagePlan, RowSource } from "./page-plan.ts"
import { countsQuery, pageQuery } from "./page-queries.ts"
import { readRemembered, type PageSources, type ReadPage, type RememberedPage } from "./read-page.ts"

/** To read a row through an index costs as much as to read this number of rows in the order in which they are stored. */
const ROW_COST = 6

/** Returns the source that is fastest to read all matches of a filter, if the search index does not have few candidates. */
export function sourceOfAll({ inScope, inDatabase }: ScopeSize): RowSource {
  return inScope * ROW_COST > inDatabase ? "table" : "order"
}

/** If at least this part of the filesets matches, a page is found near its start. */
const DENSE = 1 / 8

interface ScanOptions {
  readonly scan: NonNullable<Database["scan"]>
  readonly dialect: Database["dialect"]
  readonly size: ScopeSize
}

/** Reads a page like `readRemembered`, on a thread of the database. */
export function scanPage(
  { scan, dialect, size }: ScanOptions,
  plan: PagePlan,
  memory: ListMemory | undefined,
): Promise<RememberedPage> {
  return scan(async (queries) => {
    const candidates = plan.filter && (await dialect.candidates(queries, plan.filter))
    const areFew = candidates?.areFew === true
    const counted = areFew ? "candidates" : sourceOfAll(size)
    const sources: PageSources = { candidates, source: counted, counted }
    const readPage: ReadPage = async (shape, values) => {
      const [counts] = await runOn(queries, countsQuery(queries, shape, dialect), values)
      const total = counts?.total ?? memory?.total ?? 0
      const source = !areFew && total >= size.inScope * DENSE ? "order" : counted
      const rows = total === 0 ? [] : await runOn(queries, pageQuery(queries, { ...shape, source }, dialect), values)
      return { changes: counts?.changes ?? 0, total: counts?.total ?? null, rows }
    }
    return readRemembered(readPage, { plan, sources }, memory)
  })
}

async function runOn<Row>(queries: Queries, query: Select<Row>, values: SlotValues): Promise<readonly Row[]> {
  const { rows } = await queries.executeQuery(fillSlots(query.compile(), values))
  return rows
}
