import type { ExactNumber } from "@assay/json"

export const FILTER_OPERATORS = ["$eq", "$like", "$lt", "$lte", "$gt", "$gte", "$in", "$nin"] as const
export type FilterOperator = (typeof FILTER_OPERATORS)[number]

/** A number whose digits a JavaScript number would not keep is an `ExactNumber`. */
export type FilterScalar = string | number | ExactNumber | boolean | null

/** A column of the record, or a location below one of its free-form maps. */
export interface FilterField {
  readonly column: string
  /** Keys below `metadata` or `custom_fields`; empty for a plain column. */
  readonly path: readonly string[]
}

/**
 * A value to compare with. Text in brackets has no type, so it can have several readings (`5` is the number and the string). It
 * matches if one of them does. Dates are in UTC with milliseconds and `Z`.
 */
export interface FilterOperand {
  readonly readings: readonly FilterScalar[]
  /** The value in the canonical form. */
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
 * A filter of a listing. Logic is two-valued: `not` is the complement. A missing value satisfies `$eq null` and `$in` with null, and
 * no other comparison. An empty `and` is satisfied by every record, an empty `or` by none.
 */
export type Filter =
  | FilterComparison
  | { readonly kind: "and" | "or"; readonly filters: readonly Filter[] }
  | { readonly kind: "not"; readonly filter: Filter }

/**
 * Joins filters to one that requires all (`and`) or one (`or`) of them. Returns a single part as it is, and flattens groups of the
 * same kind. Without parts, `and` is always satisfied and `or` never.
 */
export function joinFilters(kind: "and" | "or", parts: readonly Filter[]): Filter {
  const filters = parts.flatMap((part) => (part.kind === kind ? part.filters : [part]))
  const [only] = filters
  return only !== undefined && filters.length === 1 ? only : { kind, filters }
}
