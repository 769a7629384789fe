import type { Filter } from "./filter.ts"

/**
 * One filter that asks for all (`and`) or for one (`or`) of `parts`. One part alone is answered as it is, and a group
 * within a group of its own kind is taken apart. No part at all: `and` is always satisfied, `or` never.
 */
export function joinFilters(kind: "and" | "or", parts: readonly Filter[]): Filter {
  const filters = parts.flatMap((part) => (part.kind === kind ? part.filters : [part]))
  const [only] = filters
  return only !== undefined && filters.length === 1 ? only : { kind, filters }
}
