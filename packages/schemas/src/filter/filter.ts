import type { FilesetFilterColumn } from "./filter-fields.ts"

export const FILTER_OPERATORS = ["$eq", "$like", "$lt", "$lte", "$gt", "$gte", "$in", "$nin"] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

export type FilterScalar = string | number | boolean | null

/** A column of the record, or a place below one of its free-form maps. */
export interface FilterField {
  readonly column: FilesetFilterColumn
  /** Keys below `metadata` or `custom_fields`; empty for a plain column. */
  readonly path: readonly string[]
}

/**
 * A value to compare with. Text in brackets has no type of its own, so it can have several readings (`5` is the number
 * and the string); it matches where one of them does. Dates are written in UTC with milliseconds and `Z`.
 */
export interface FilterOperand {
  readonly readings: readonly FilterScalar[]
  /** The value as the canonical form echoes it. */
  readonly written: FilterScalar
}

export interface FilterComparison {
  readonly kind: "comparison"
  readonly field: FilterField
  readonly operator: FilterOperator
  /** Exactly one, except for `$in` and `$nin`. */
  readonly operands: readonly FilterOperand[]
}

/**
 * What a listing is narrowed to. Logic is two-valued: `not` is the complement. A missing value satisfies `$eq null` and
 * `$in` with null, and no other comparison. `and` over no filters is satisfied by every record, `or` by none.
 */
export type Filter =
  | FilterComparison
  | { readonly kind: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter }

/**
 * One filter that asks for all (`and`) or for one (`or`) of `parts`. One part alone is answered as it is, and a group
 * within a group of its own kind is taken apart. No part at all: `and` is always satisfied, `or` never.
 */
export function joinFilters(kind: "and" | "or", parts: readonly Filter[]): Filter {
  const filters = parts.flatMap((part) => (part.kind === kind ? part.filters : [part]))
  const [only] = filters
  return only !== undefined && filters.length === 1 ? only : { kind, filters }
}
