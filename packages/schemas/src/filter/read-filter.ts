import { invalidRequest } from "../errors/assay-error.ts"
import { badFilter, excerpt, plainValue, type FilterEntrySyntax, type FilterSyntax } from "./filter-syntax.ts"
import {
  FILTER_WRAPPER,
  isMapColumn,
  resolveFilterField,
  splitFieldName,
  unknownFilterField,
  type FilterFields,
} from "./filter-fields.ts"
import { joinFilters, type Filter } from "./filter.ts"
import { readCondition } from "./read-condition.ts"

type Loc = readonly (string | number)[]

/**
 * Reads a filter: an object whose entries are joined by AND. Each entry is a field, one of `$and`, `$or` and `$not`, or `data` with an object
 * of fields.
 *
 * @throws `unknown_filter_field`, `bad_filter`, and `invalid_request` with locations below `loc`
 */
export function readFilter(syntax: FilterSyntax, loc: Loc, fields: FilterFields): Filter {
  if (syntax.kind !== "object") {
    throw invalidRequest(loc, "Input should be a valid dictionary", "dict_type", plainValue(syntax))
  }
  return joinFilters(
    "and",
    syntax.entries.map((entry) => readEntry(entry, [...loc, entry.key], fields)),
  )
}

function readEntry({ key, value, location }: FilterEntrySyntax, loc: Loc, fields: FilterFields): Filter {
  if (key === "$and") return joinFilters("and", readFilters(value, loc, fields))
  if (key === "$or") return joinFilters("or", readFilters(value, loc, fields))
  if (key === "$not") return { kind: "not", filter: readFilter(value, loc, fields) }
  if (key.startsWith("$")) {
    throw badFilter(`'${excerpt(key)}' is used where a field or one of $and, $or, $not is expected`, location)
  }
  if (key === FILTER_WRAPPER && value.kind === "object") return readFilter(value, loc, fields)
  const keys = splitFieldName(key)
  if (keys === undefined) throw unknownFilterField(key, Object.keys(fields))
  return readField(keys, { entry: { key, value, location }, loc }, fields)
}

function readFilters(syntax: FilterSyntax, loc: Loc, fields: FilterFields): readonly Filter[] {
  if (syntax.kind !== "list") {
    throw invalidRequest(loc, "Input should be a valid list", "list_type", plainValue(syntax))
  }
  return syntax.items.map((item, index) => readFilter(item, [...loc, index], fields))
}

/** An entry, and the location of its value in the request. */
interface LocatedEntry {
  readonly entry: FilterEntrySyntax
  readonly loc: Loc
}

/**
 * Reads an entry for the field that `keys` name: a plain value, or an object of operators, of `$not`, and below free-form maps of
 * further keys. Such keys are taken literally, including dots.
 */
function readField(
  keys: readonly string[],
  { entry: { key, value, location }, loc }: LocatedEntry,
  fields: FilterFields,
): Filter {
  const field = resolveFilterField({ keys, written: key, location }, fields)
  if (value.kind !== "object") return readCondition({ field, operator: "$eq", value, location, loc }, fields)
  const isMap = isMapColumn(fields, field.column)
  const parts = value.entries.map((entry): Filter => {
    const below = [...loc, entry.key]
    if (entry.key === "$not") return { kind: "not", filter: readField(keys, { entry, loc: below }, fields) }
    if (isMap && !entry.key.startsWith("$")) {
      return readField([...keys, entry.key], { entry, loc: below }, fields)
    }
    const compared = { field, operator: entry.key, value: entry.value, location: entry.location, loc: below }
    return readCondition(compared, fields)
  })
  return joinFilters("and", parts)
}
