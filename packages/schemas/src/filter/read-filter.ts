import { invalidRequest } from "../errors/assay-error.ts"
import { badFilter, excerpt, plainValue, type FilterEntrySyntax, type FilterSyntax } from "./filter-syntax.ts"
import { isMapColumn, resolveFilterField, splitFieldName, unknownFilterField } from "./filter-fields.ts"
import { joinFilters, type Filter } from "./filter.ts"
import { readComparison } from "./read-comparison.ts"

type Loc = readonly (string | number)[]

/**
 * Reads a filter: an object whose entries are joined by AND. Each entry is a field or one of `$and`, `$or` and `$not`.
 *
 * @throws `unknown_filter_field`, `bad_filter`, and `invalid_request` with locations below `loc`
 */
export function readFilter(syntax: FilterSyntax, loc: Loc): Filter {
  if (syntax.kind !== "object") {
    throw invalidRequest(loc, "Input should be a valid dictionary", "dict_type", plainValue(syntax))
  }
  return joinFilters(
    "and",
    syntax.entries.map((entry) => readEntry(entry, [...loc, entry.key])),
  )
}

function readEntry({ key, value, location }: FilterEntrySyntax, loc: Loc): Filter {
  if (key === "$and") return joinFilters("and", readFilters(value, loc))
  if (key === "$or") return joinFilters("or", readFilters(value, loc))
  if (key === "$not") return { kind: "not", filter: readFilter(value, loc) }
  if (key.startsWith("$")) {
    throw badFilter(`'${excerpt(key)}' is used where a field or one of $and, $or, $not is expected`, location)
  }
  const keys = splitFieldName(key)
  if (keys === undefined) throw unknownFilterField(key)
  return readField(keys, { key, value, location }, loc)
}

function readFilters(syntax: FilterSyntax, loc: Loc): readonly Filter[] {
  if (syntax.kind !== "list") {
    throw invalidRequest(loc, "Input should be a valid list", "list_type", plainValue(syntax))
  }
  return syntax.items.map((item, index) => readFilter(item, [...loc, index]))
}

/**
 * Reads an entry for the field that `keys` name: a plain value, or an object of operators, of `$not`, and below free-form maps of
 * further keys. Such keys are taken literally, including dots.
 */
export function readField(
  keys: readonly string[],
  { key, value, location }: FilterEntrySyntax,
  loc: readonly (string | number)[],
): Filter {
  const field = resolveFilterField(keys, key, location)
  if (value.kind !== "object") return readComparison({ field, operator: "$eq", value, location, loc })
  const isMap = isMapColumn(field.column)
  const parts = value.entries.map((entry): Filter => {
    const below = [...loc, entry.key]
    if (entry.key === "$not") return { kind: "not", filter: readField(keys, entry, below) }
    if (isMap && !entry.key.startsWith("$")) return readField([...keys, entry.key], entry, below)
    return readComparison({ field, operator: entry.key, value: entry.value, location: entry.location, loc: below })
  })
  return joinFilters("and", parts)
}
