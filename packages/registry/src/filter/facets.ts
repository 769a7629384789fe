import type { Filter, FilterComparison } from "@assay/schemas"

export const FACETS = ["purpose", "storage_type"] as const
export type Facet = (typeof FACETS)[number]

/** The values of facets that a filter requires. */
export type Facets = Readonly<Partial<Record<Facet, string>>>

/**
 * Returns the facets that `filter` requires, or undefined if it requires anything else. Filesets are counted and indexed by
 * facet, so the cost of these listings does not depend on the number of filesets.
 */
export function facetsOf(filter: Filter | undefined): Facets | undefined {
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
