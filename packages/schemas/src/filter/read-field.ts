import { isMapColumn } from "./fileset-filter-fields.ts"
import type { FilterEntrySyntax } from "./filter-syntax.ts"
import type { Filter } from "./filter.ts"
import { joinFilters } from "./join-filters.ts"
import { readComparison } from "./read-comparison.ts"
import { resolveFilterField } from "./resolve-filter-field.ts"

/**
 * What an entry asks of the field that `keys` name: a bare value, or an object of operators, of `$not`, and, below the
 * free-form maps, of further keys, which are taken as they are, dots included.
 */
export function readField(
  keys: readonly string[],
  { key, value, place }: FilterEntrySyntax,
  loc: readonly (string | number)[],
): Filter {
  const field = resolveFilterField(keys, key, place)
  if (value.kind !== "object") return readComparison({ field, operator: "$eq", value, place, loc })
  const isMap = isMapColumn(field.column)
  const parts = value.entries.map((entry): Filter => {
    const below = [...loc, entry.key]
    if (entry.key === "$not") return { kind: "not", filter: readField(keys, entry, below) }
    if (isMap && !entry.key.startsWith("$")) return readField([...keys, entry.key], entry, below)
    return readComparison({ field, operator: entry.key, value: entry.value, place: entry.place, loc: below })
  })
  return joinFilters("and", parts)
}
