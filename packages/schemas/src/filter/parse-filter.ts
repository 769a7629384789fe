import { checkFilterLength, checkFilterSize } from "./filter-limits.ts"
import { badFilter } from "./filter-syntax.ts"
import type { FilterFields } from "./filter-fields.ts"
import { type Filter, joinFilters } from "./filter.ts"
import { type QueryParameter, parseBracketFilter } from "./parse-bracket-filter.ts"
import { parseJsonFilter } from "./parse-json-filter.ts"
import { parseTextFilter } from "./parse-text-filter.ts"
import { isStorableText } from "./tokenize-filter.ts"

/**
 * Parses the filter of a query string, in brackets (`filter[purpose]=model`), as JSON (`filter={"purpose":"model"}`) or as text
 * (`filter=purpose:"model"`); undefined if there is none. Several filters are joined by AND. `parameters` are decoded. Parameters
 * other than `filter` and `filter[…]` are ignored.
 *
 * @throws `unknown_filter_field`; `bad_filter` if it can't be read or exceeds FILTER_LIMITS; `invalid_request` for a value of a wrong
 * type, and for nesting deeper than JSON_LIMITS.depth in any form
 */
export function parseFilter(parameters: Iterable<QueryParameter>, fields: FilterFields): Filter | undefined {
  const given = [...parameters].filter(([name]) => name === "filter" || name.startsWith("filter["))
  checkFilterLength(given)
  for (const [parameter, value] of given) {
    if (isStorableText(parameter + value)) continue
    throw badFilter("it contains U+0000 or half a surrogate pair, which no record has", { parameter })
  }
  const texts = given.filter(([name, text]) => name === "filter" && text.trim() !== "")
  const brackets = given.filter(([name]) => name !== "filter")
  const read = texts.map(([, text]) => parseText(text, fields))
  const filter = joinFilters("and", [...read, parseBracketFilter(brackets, fields)])
  checkFilterSize(filter)
  return filter.kind === "and" && filter.filters.length === 0 ? undefined : filter
}

function parseText(text: string, fields: FilterFields): Filter {
  return /^\s*[[{]/.test(text) ? parseJsonFilter(text, fields) : parseTextFilter(text, fields)
}
