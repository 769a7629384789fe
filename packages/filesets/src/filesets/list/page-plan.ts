import type { Filter, FilterComparison } from "@assay/schemas"
import { sql, type Expression } from "kysely"
import {
  slot,
  type SlotValues,
  type Candidates,
  type SqlDialect,
  allOf,
  anyOf,
  compileFilter,
  type Condition,
  orderOf,
  pageOffset,
  type RecordOrder,
  type VisibleWorkspaces,
} from "@assay/database"
import type { FilesetQuery } from "../filesets.ts"

/** The workspaces whose filesets are listed: one, all, or some. */
export type Scope =
  | { readonly kind: "one"; readonly workspace: string }
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly workspaces: readonly string[] }

export function scopeOf(workspace: string | undefined, visible: VisibleWorkspaces): Scope {
  if (workspace !== undefined) return { kind: "one", workspace }
  return visible === "all" ? { kind: "all" } : { kind: "some", workspaces: visible.toSorted() }
}

/**
 * The shape of the queries for a page. Their values go into slots: `workspace`, the facets, `limit` and `offset`, their sum
 * `reach`, and `value` and `id` of a mark.
 */
export interface PageShape {
  readonly scope: Scope
  readonly order: RecordOrder
  readonly facets: readonly Facet[]
  /** The filter, if it contains more than facets. */
  readonly condition: Condition | undefined
  readonly candidates: Candidates | undefined
  /** Where the rows of the page are looked for. */
  readonly source: RowSource
  /** How to reach the first row: skip few rows, skip many rows in only the index, or begin at a mark. */
  readonly start: "few" | "many" | "mark"
  /** The source of the total: the kept counts, the rows themselves, or none because it is known. */
  readonly total: "counts" | "known" | RowSource
}

/**
 * Where the rows that match a filter are looked for:
 * - `candidates`: those of the search index, if they are few. Otherwise as `order`
 * - `order`: the index that has the order of the listing. It is fast if one of the next rows is likely to match
 * - `table`: all filesets of the database in the order in which they are stored, which costs a sixth of `order` per row
 */
export type RowSource = "candidates" | "order" | "table"

export function isFacet(facet: Facet): Condition {
  return sql`${sql.ref(facet)} = ${slot(facet)}`
}

export function isInScope(workspace: Expression<unknown>, scope: Scope): Condition {
  if (scope.kind === "all") return allOf([])
  if (scope.kind === "one") return sql`${workspace} = ${slot("workspace")}`
  return scope.workspaces.length === 0 ? anyOf([]) : sql`${workspace} in (${sql.join(scope.workspaces)})`
}

/** The plan of a page, except for its first row. */
export interface PagePlan {
  readonly shape: Omit<PageShape, "start" | "total" | "source" | "candidates">
  /** The filter, if it contains more than facets. */
  readonly filter: Filter | undefined
  /** Values of the shape's slots. */
  readonly values: SlotValues
  /** Whether the database keeps the total. */
  readonly isCounted: boolean
  /** Number of filesets before the page. */
  readonly offset: number
  readonly size: number
}

export function planPage(dialect: SqlDialect, scope: Scope, query: FilesetQuery): PagePlan {
  const { filter } = query
  const facets = facetsOf(filter)
  const rest = facets === undefined ? filter : undefined
  return {
    shape: {
      scope,
      order: orderOf(query.sort),
      facets: FACETS.filter((facet) => facets?.[facet] !== undefined),
      condition: rest && compileFilter(rest, dialect),
    },
    filter: rest,
    values: { ...facets, ...(scope.kind === "one" ? { workspace: scope.workspace } : {}) },
    isCounted: facets !== undefined,
    offset: pageOffset(query),
    size: query.page_size,
  }
}

export const FACETS = ["purpose", "storage_type"] as const
export type Facet = (typeof FACETS)[number]

/** The values of facets that a filter requires. */
type Facets = Readonly<Partial<Record<Facet, string>>>

/**
 * Returns the facets that `filter` requires, or undefined if it requires anything else. Filesets are counted and indexed by
 * facet, so the cost of these listings does not depend on the number of filesets.
 */
function facetsOf(filter: Filter | undefined): Facets | undefined {
  if (filter === undefined) return {}
  const parts = filter.kind === "and" ? filter.filters : [filter]
  const facets: Partial<Record<Facet, string>> = {}
  for (const part of parts) {
    const wanted = part.kind === "comparison" ? facetOf(part) : undefined
    if (wanted === undefined || facets[wanted.facet] !== undefined) return undefined
    facets[wanted.facet] = wanted.value
  }
  return facets
}

function facetOf({ field, operator, operands }: FilterComparison): { facet: Facet; value: string } | undefined {
  const facet = FACETS.find((facet) => facet === field.column)
  const [value, ...others] = operands.flatMap((operand) => operand.readings)
  if (facet === undefined || operator !== "$eq" || typeof value !== "string" || others.length > 0) return undefined
  return { facet, value }
}
