import type { DOCUMENT_LISTING, ListingQuery, ListingSort, Pagination } from "@assay/schemas"
import { sql, type Selectable } from "kysely"
import {
  type Database,
  type DocumentTable,
  type DocumentKind,
  allOf,
  containsText,
  isWithin,
  type Condition,
  orderOf,
  readRecords,
  type PageQuery,
  type VisibleWorkspaces,
} from "@assay/database"

type FilterField = (typeof DOCUMENT_LISTING.filter)[number]
type SearchField = (typeof DOCUMENT_LISTING.search)[number]

export interface DocumentQuery extends PageQuery {
  readonly sort: ListingSort
  readonly where: ListingQuery<FilterField, SearchField>
}

const COLUMNS = {
  id: "id",
  namespace: "workspace",
  name: "name",
  description: "description",
  project: "project",
} as const satisfies Record<SearchField, keyof DocumentTable>

/** Reads a page of the documents of one kind in all visible workspaces. */
export async function searchDocuments(
  database: Database,
  kind: DocumentKind,
  { sort, where, ...query }: DocumentQuery,
  visible: VisibleWorkspaces,
): Promise<{ rows: readonly Selectable<DocumentTable>[]; pagination: Pagination }> {
  const { from, to } = where.created_at ?? {}
  const condition = allOf([
    isWithin("workspace", visible),
    ...entriesOf(where.equals).map(([field, value]) => equals(field, value)),
    ...entriesOf(where.contains).map(([field, part]) => containsText(database.dialect, COLUMNS[field], part)),
    ...(from === undefined ? [] : [sql<boolean>`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql<boolean>`created_at <= ${to}`]),
  ])
  const { column, direction } = orderOf(sort)
  return readRecords(database, { ...query, large: ["data"] }, (queries) =>
    queries
      .selectFrom("documents")
      .selectAll()
      .where("kind", "=", kind)
      .where(condition)
      .orderBy(column, direction)
      // Equal values are ordered by ascending id in both directions.
      .orderBy("id"),
  )
}

function entriesOf<Field extends string>(fields: Readonly<Partial<Record<Field, string>>>): [Field, string][] {
  return Object.entries(fields) as [Field, string][]
}

function equals(field: FilterField, value: string): Condition {
  if (field !== "type") return sql`${sql.ref(COLUMNS[field])} = ${value}`
  // A database can't read all JSON in this column, so `type` is the first key.
  const start = `{"type":${JSON.stringify(value)}`
  return sql`substr(data, 1, ${start.length}) = ${start}`
}
