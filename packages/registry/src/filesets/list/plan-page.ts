import type { Database } from "../../database/database.ts"
import { pageOffset } from "../../database/page-offset.ts"
import type { SlotValues } from "../../database/prepared-query.ts"
import { compileFilter } from "../../filter/compile-filter.ts"
import { FACETS, facetsOf } from "../../filter/facets-of.ts"
import type { FilesetQuery } from "../../registry.ts"
import type { PageShape } from "./page-shape.ts"
import type { Scope } from "./scope.ts"
import { SORT_ORDERS } from "./sort-order.ts"

/** What is asked for, before it is known where the page begins. */
export interface PagePlan {
  readonly shape: Omit<PageShape, "start" | "total">
  /** Values of the shape's slots. */
  readonly values: SlotValues
  /** Whether the database keeps the count. */
  readonly isCounted: boolean
  /** Filesets in front of the page. */
  readonly offset: number
  readonly size: number
}

export async function planPage(database: Database, scope: Scope, query: FilesetQuery): Promise<PagePlan> {
  const { filter } = query
  const facets = facetsOf(filter)
  const rest = facets === undefined ? filter : undefined
  return {
    shape: {
      scope,
      order: SORT_ORDERS[query.sort],
      facets: FACETS.filter((facet) => facets?.[facet] !== undefined),
      condition: rest && compileFilter(rest, database.dialect),
      candidates: rest && (await database.read((queries) => database.dialect.candidates(queries, rest))),
    },
    values: { ...facets, ...(scope.kind === "one" ? { workspace: scope.workspace } : {}) },
    isCounted: facets !== undefined,
    offset: pageOffset(query),
    size: query.page_size,
  }
}
