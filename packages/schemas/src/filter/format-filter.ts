import { formatFilterField } from "./filter-fields.ts"
import type { Filter, FilterComparison } from "./filter.ts"

/**
 * Formats a filter in the JSON form: a plain value for `$eq`, the operators of a field in one object, the fields in one object. If
 * something occurs twice (a field with the same operator, `$or`, `$not`), the result is a list of objects under `$and`. A value with
 * several readings is written as it was typed, as a string. Except for those, `parseFilesetFilter` reads the same filter back.
 */
export function formatFilter(filter: Filter): Record<string, unknown> {
  const objects: FilterObject[] = []
  for (const part of partsOf(filter)) {
    if (objects.some((object) => addPart(object, part))) continue
    const object: FilterObject = { fields: new Map(), groups: new Map() }
    addPart(object, part)
    objects.push(object)
  }
  const [first, ...others] = objects.map(formatObject)
  return others.length > 0 ? { $and: [first, ...others] } : (first ?? {})
}

/** An object of the JSON form while it is built. */
interface FilterObject {
  /** Operators with their values, by field. */
  readonly fields: Map<string, Readonly<Record<string, unknown>>>
  /** `$or` and `$not`. */
  readonly groups: Map<string, unknown>
}

type Part =
  | FilterComparison
  | { readonly kind: "not"; readonly filter: Filter }
  | { readonly kind: "or"; readonly filters: readonly Filter[] }

function partsOf(filter: Filter): readonly Part[] {
  if (filter.kind === "comparison" || filter.kind === "not") return [filter]
  return filter.kind === "and" ? filter.filters.flatMap(partsOf) : [{ kind: "or", filters: filter.filters }]
}

/** Adds a part to an object. Returns false if the object already has such a part. */
function addPart({ fields, groups }: FilterObject, part: Part): boolean {
  if (part.kind === "comparison") return addComparison(fields, part)
  const key = `$${part.kind}`
  if (groups.has(key)) return false
  groups.set(key, part.kind === "not" ? formatFilter(part.filter) : part.filters.map(formatFilter))
  return true
}

function addComparison(fields: FilterObject["fields"], { field, operator, operands }: FilterComparison): boolean {
  const name = formatFilterField(field)
  const operators = fields.get(name) ?? {}
  if (operator in operators) return false
  const values = operands.map(({ written }) => written)
  fields.set(name, { ...operators, [operator]: operator === "$in" || operator === "$nin" ? values : values[0] })
  return true
}

function formatObject({ fields, groups }: FilterObject): Record<string, unknown> {
  return Object.fromEntries([
    ...fields.entries().map(([name, operators]) => [name, bare(operators)] as const),
    ...groups,
  ])
}

function bare(operators: Readonly<Record<string, unknown>>): unknown {
  return "$eq" in operators && Object.keys(operators).length === 1 ? operators["$eq"] : operators
}
