import { fillSlots, type Database, type Queries, type Select, type SlotValues } from "@assay/database"
import type { ScopeSize } from "../list-counts.ts"
import type { ListMemory } from "../list-memory.ts"
import type { PagePlan, PageShape, RowSource } from "../page-plan.ts"
import { countsQuery, pageQuery } from "../page-queries.ts"
import { readRemembered, type PageRead, type PageSources, type ReadPage, type RememberedPage } from "../read-page.ts"
import { filesetsQuery, matchesQuery, nearPageQuery } from "./scan-queries.ts"

/** To read a row through an index costs as much as to read this number of rows in the order in which they are stored. */
const ROW_COST = 6

/** Returns the source that is fastest to read all matches of a filter, if the search index does not have few candidates. */
export function sourceOfAll({ inScope, inDatabase }: ScopeSize): RowSource {
  return inScope * ROW_COST > inDatabase ? "table" : "order"
}

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
    const source = areFew ? "candidates" : sourceOfAll(size)
    const sources: PageSources = { candidates, source, counted: source }
    const readPage: ReadPage = async (shape, values) => {
      const near = areFew ? undefined : await readNear({ queries, dialect }, shape, values)
      return near ?? readAll({ queries, dialect }, shape, values)
    }
    return readRemembered(readPage, { plan, sources }, memory)
  })
}

interface Reader {
  readonly queries: Queries
  readonly dialect: Database["dialect"]
}

/**
 * Reads a page whose rows are all among the next filesets in order, as those of a filter that many filesets match.
 * Undefined if they are not.
 */
async function readNear(
  { queries, dialect }: Reader,
  shape: PageShape,
  values: SlotValues,
): Promise<PageRead | undefined> {
  // No index has the order of several workspaces.
  if (shape.scope.kind === "some") return undefined
  const rows = await runOn(queries, nearPageQuery(queries, shape, dialect), values)
  if (rows.length !== values["limit"]) return undefined
  const [counts] = await runOn(queries, countsQuery(queries, shape, dialect), values)
  return { changes: counts?.changes ?? 0, total: counts?.total ?? null, rows }
}

/** Reads a page and its total in one pass over all filesets that can match. */
async function readAll({ queries, dialect }: Reader, shape: PageShape, values: SlotValues): Promise<PageRead> {
  const { total: counted } = shape
  if (counted === "known" || counted === "counts") {
    const [counts] = await runOn(queries, countsQuery(queries, shape, dialect), values)
    const rows = await runOn(queries, pageQuery(queries, shape, dialect), values)
    return { changes: counts?.changes ?? 0, total: counts?.total ?? null, rows }
  }
  const [found] = await runOn(queries, matchesQuery(queries, { ...shape, total: counted }, dialect), values)
  const { changes, total, ids } = found ?? { changes: 0, total: 0, ids: "[]" }
  return { changes, total, rows: await runOn(queries, filesetsQuery(queries, shape, dialect, ids), values) }
}

async function runOn<Row>(queries: Queries, query: Select<Row>, values: SlotValues): Promise<readonly Row[]> {
  const { rows } = await queries.executeQuery(fillSlots(query.compile(), values))
  return rows
}
