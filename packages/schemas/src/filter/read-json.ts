import { badFilter } from "./bad-filter.ts"
import { createFilterCursor, type FilterCursor } from "./filter-cursor.ts"
import { FILTER_LIMITS } from "./filter-limits.ts"
import type { FilterEntrySyntax, FilterSyntax } from "./filter-syntax.ts"
import { readItems } from "./read-items.ts"
import { readJsonWord } from "./read-json-word.ts"

/** A level of logic takes an object and a list; the comparison inside takes an object, its operators and a list. */
const MAX_NESTING = 2 * FILTER_LIMITS.depth + 3

/**
 * JSON text with the offset of every part. `JSON.parse` does not tell where a text goes wrong, keeps one of two equal
 * keys, and goes as deep as it is led.
 *
 * @throws `bad_filter`
 */
export function readJson(text: string, parameter: string): FilterSyntax {
  const cursor = createFilterCursor(text, "json", parameter)
  const value = readValue(cursor, 0)
  if (cursor.peek().kind !== "end") throw cursor.expected("the end of the JSON")
  return value
}

function readValue(cursor: FilterCursor, nesting: number): FilterSyntax {
  const place = cursor.place()
  if (nesting > MAX_NESTING) throw badFilter(`the JSON is nested deeper than ${MAX_NESTING} levels`, place)
  if (cursor.take("symbol", "{")) {
    return { kind: "object", entries: readItems(cursor, "}", () => readEntry(cursor, nesting + 1)), place }
  }
  if (cursor.take("symbol", "[")) {
    return { kind: "list", items: readItems(cursor, "]", () => readValue(cursor, nesting + 1)), place }
  }
  if (cursor.peek().kind === "string") return { kind: "scalar", value: cursor.next().text, place }
  return { kind: "scalar", value: readJsonWord(cursor, "a JSON value"), place }
}

function readEntry(cursor: FilterCursor, nesting: number): FilterEntrySyntax {
  const place = cursor.place()
  if (cursor.peek().kind !== "string") throw cursor.expected("a key in double quotes")
  const key = cursor.next().text
  if (!cursor.take("symbol", ":")) throw cursor.expected("a colon")
  return { key, value: readValue(cursor, nesting), place }
}
