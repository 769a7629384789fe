import { type Static, Type } from "@sinclair/typebox"
import { PURPOSES } from "../filesets/fileset.ts"
import { STORAGE_TYPES } from "../filesets/storage-configuration.ts"
import { Timestamp, enumeration } from "../records/field-types.ts"
import { checkFilterLength, checkFilterSize } from "./filter-limits.ts"
import { badFilter } from "./filter-syntax.ts"
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
export function parseFilesetFilter(parameters: Iterable<QueryParameter>): Filter | undefined {
  const given = [...parameters].filter(([name]) => name === "filter" || name.startsWith("filter["))
  checkFilterLength(given)
  for (const [parameter, value] of given) {
    if (isStorableText(parameter + value)) continue
    throw badFilter("it contains U+0000 or half a surrogate pair, which no record has", { parameter })
  }
  const texts = given.filter(([name, text]) => name === "filter" && text.trim() !== "")
  const brackets = given.filter(([name]) => name !== "filter")
  const filter = joinFilters("and", [...texts.map(([, text]) => parseText(text)), parseBracketFilter(brackets)])
  checkFilterSize(filter)
  return filter.kind === "and" && filter.filters.length === 0 ? undefined : filter
}

function parseText(text: string): Filter {
  return /^\s*[[{]/.test(text) ? parseJsonFilter(text) : parseTextFilter(text)
}

const DateRange = Type.Object(
  {
    $gte: Type.Optional(Type.String({ ...Timestamp, description: "On or after." })),
    $lte: Type.Optional(Type.String({ ...Timestamp, description: "On or before." })),
  },
  { $id: "DateRange" },
)

/** The plain form of a filter: all of its keys must match. Other forms have operators and logic too. */
export const FilesetFilter = Type.Object(
  {
    name: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
    purpose: Type.Optional(enumeration(PURPOSES)),
    storage_type: Type.Optional(enumeration(STORAGE_TYPES)),
    created_at: Type.Optional(DateRange),
    updated_at: Type.Optional(DateRange),
  },
  { $id: "FilesetFilter" },
)
export type FilesetFilter = Static<typeof FilesetFilter>
