import { checkJsonShape } from "../requests/json-shape.ts"
import { createFilterCursor, readItems, readJsonWord, type FilterCursor } from "./filter-cursor.ts"
import type { FilterEntrySyntax, FilterSyntax } from "./filter-syntax.ts"
import { FILESET_FILTER_FIELDS, type FilterFields } from "./filter-fields.ts"
import type { Filter } from "./filter.ts"
import { readFilter } from "./read-filter.ts"

/**
 * Parses the JSON form: `{"name": {"$like": "a"}, "purpose": "dataset"}`.
 *
 * @throws `bad_filter`, `unknown_filter_field`, `invalid_request`
 */
export function parseJsonFilter(text: string, fields: FilterFields = FILESET_FILTER_FIELDS): Filter {
  return readFilter(readJson(text, "filter"), ["query", "filter"], fields)
}

/**
 * Parses JSON text with the offset of every part. `JSON.parse` reports no position for each part, and keeps only one of two equal keys.
 *
 * @throws `bad_filter`; `invalid_request` if the text exceeds JSON_LIMITS
 */
export function readJson(text: string, parameter: string): FilterSyntax {
  checkJsonShape(text, ["query", "filter"])
  const cursor = createFilterCursor(text, "json", parameter)
  const value = readValue(cursor)
  if (cursor.peek().kind !== "end") throw cursor.expected("the end of the JSON")
  return value
}

function readValue(cursor: FilterCursor): FilterSyntax {
  const location = cursor.location()
  if (cursor.take("symbol", "{")) {
    return { kind: "object", entries: readItems(cursor, "}", () => readEntry(cursor)), location }
  }
  if (cursor.take("symbol", "[")) {
    return { kind: "list", items: readItems(cursor, "]", () => readValue(cursor)), location }
  }
  if (cursor.peek().kind === "string") return { kind: "scalar", value: cursor.next().text, location }
  return { kind: "scalar", value: readJsonWord(cursor, "a JSON value"), location }
}

function readEntry(cursor: FilterCursor): FilterEntrySyntax {
  const location = cursor.location()
  if (cursor.peek().kind !== "string") throw cursor.expected("a key in double quotes")
  const key = cursor.next().text
  if (!cursor.take("symbol", ":")) throw cursor.expected("a colon")
  return { key, value: readValue(cursor), location }
}
