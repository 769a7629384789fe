import { invalidRequest } from "../errors/assay-error.ts"
import { badFilter } from "./bad-filter.ts"
import { excerpt } from "./excerpt.ts"
import type { FilterEntrySyntax, FilterSyntax } from "./filter-syntax.ts"
import type { Filter } from "./filter.ts"
import { joinFilters } from "./join-filters.ts"
import { plainValue } from "./plain-value.ts"
import { readField } from "./read-field.ts"
import { splitFieldName } from "./split-field-name.ts"
import { unknownFilterField } from "./unknown-filter-field.ts"

type Loc = readonly (string | number)[]

/**
 * The filter that `syntax` writes: an object whose entries are joined by AND, each a field or one of `$and`, `$or` and
 * `$not`.
 *
 * @throws `unknown_filter_field`, `bad_filter`, and `invalid_request` with places below `loc`
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

function readEntry({ key, value, place }: FilterEntrySyntax, loc: Loc): Filter {
  if (key === "$and") return joinFilters("and", readFilters(value, loc))
  if (key === "$or") return joinFilters("or", readFilters(value, loc))
  if (key === "$not") return { kind: "not", filter: readFilter(value, loc) }
  if (key.startsWith("$")) {
    throw badFilter(`'${excerpt(key)}' stands where a field is expected, or one of $and, $or, $not`, place)
  }
  const keys = splitFieldName(key)
  if (keys === undefined) throw unknownFilterField(key)
  return readField(keys, { key, value, place }, loc)
}

function readFilters(syntax: FilterSyntax, loc: Loc): readonly Filter[] {
  if (syntax.kind !== "list") {
    throw invalidRequest(loc, "Input should be a valid list", "list_type", plainValue(syntax))
  }
  return syntax.items.map((item, index) => readFilter(item, [...loc, index]))
}
