import { AssayError } from "../errors/assay-error.ts"
import type { Filter } from "./filter.ts"

/** The limits of filters, so that the database can compile each of them. */
export const FILTER_LIMITS = {
  /** Characters of all parameters together; more than servers accept in a URL. */
  length: 65_536,
  /** Levels of `$and`, `$or` and `$not`. The JSON form of such a filter is within JSON_LIMITS.depth. */
  depth: 30,
  comparisons: 256,
  /** `$and`, `$or` and `$not` together, including empty ones. */
  groups: 256,
  /** Values of all comparisons together. */
  values: 1024,
  /** Keys of one path below `metadata` or `custom_fields`. */
  path: 32,
} as const

/** Checks that a filter is within all limits. @throws `bad_filter` */
export function checkFilterSize(filter: Filter): void {
  const { depth, comparisons, groups, values } = measure(filter)
  checkLimit(depth, FILTER_LIMITS.depth, "levels of nesting")
  checkLimit(comparisons, FILTER_LIMITS.comparisons, "comparisons")
  checkLimit(groups, FILTER_LIMITS.groups, "groups and negations")
  checkLimit(values, FILTER_LIMITS.values, "values")
}

/** Checks the length of all parameters together. @throws `bad_filter` */
export function checkFilterLength(parameters: readonly (readonly [name: string, value: string])[]): void {
  const length = parameters.reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  checkLimit(length, FILTER_LIMITS.length, "characters")
}

function checkLimit(count: number, limit: number, what: string): void {
  if (count <= limit) return
  const message = `The filter has ${count} ${what}; the limit is ${limit}; use several requests.`
  throw new AssayError("bad_filter", message, { context: { limit } })
}

interface FilterSize {
  depth: number
  comparisons: number
  groups: number
  values: number
}

function measure(filter: Filter): FilterSize {
  if (filter.kind === "comparison") return { depth: 0, comparisons: 1, groups: 0, values: filter.operands.length }
  const total: FilterSize = { depth: 0, comparisons: 0, groups: 1, values: 0 }
  for (const part of filter.kind === "not" ? [filter.filter] : filter.filters) {
    const { depth, comparisons, groups, values } = measure(part)
    total.depth = Math.max(total.depth, depth)
    total.comparisons += comparisons
    total.groups += groups
    total.values += values
  }
  total.depth += 1
  return total
}
