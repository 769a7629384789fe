import { sql, type Expression } from "kysely"
import { slot } from "../../database/prepared-query.ts"
import type { Candidates } from "../../database/sql-dialect.ts"
import { allOf, anyOf, type Condition } from "../../filter/conditions.ts"
import type { Facet } from "../../filter/facets-of.ts"
import type { Scope } from "./scope.ts"
import type { SortOrder } from "./sort-order.ts"

/**
 * What the queries of a page look like. What they are asked with goes into their slots: `workspace`, the facets, `limit`
 * and `offset`, their sum `reach`, and `value` and `id` of a mark.
 */
export interface PageShape {
  readonly scope: Scope
  readonly order: SortOrder
  readonly facets: readonly Facet[]
  /** The filter, where it is more than facets. */
  readonly condition: Condition | undefined
  readonly candidates: Candidates | undefined
  readonly start: "near" | "remote" | "mark"
  /** Where the total comes from: the kept counts, the rows themselves, or nowhere, since it is known. */
  readonly total: "counts" | "rows" | "known"
}

export function isFacet(facet: Facet): Condition {
  return sql`${sql.ref(facet)} = ${slot(facet)}`
}

export function isInScope(workspace: Expression<unknown>, scope: Scope): Condition {
  if (scope.kind === "all") return allOf([])
  if (scope.kind === "one") return sql`${workspace} = ${slot("workspace")}`
  return scope.workspaces.length === 0 ? anyOf([]) : sql`${workspace} in (${sql.join(scope.workspaces)})`
}
