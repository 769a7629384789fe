import { checkJsonShape } from "../requests/json-shape.ts"
import { badFilter } from "./bad-filter.ts"
import { createFilterCursor, type FilterCursor } from "./filter-cursor.ts"
import { FILTER_LIMITS } from "./filter-limits.ts"
import type { Filter } from "./filter.ts"
import { joinFilters } from "./join-filters.ts"
import { parseTextComparison } from "./parse-text-comparison.ts"

/**
 * The text form: `purpose:"dataset" AND (name~"a" OR -created_at>"2025-01-01")`. Terms side by side mean AND, AND binds
 * tighter than OR, and `-` negates the term or group behind it.
 *
 * @throws `bad_filter`, `unknown_filter_field`, `invalid_request`
 */
export function parseTextFilter(text: string): Filter {
  checkJsonShape(text, ["query", "filter"])
  const cursor = createFilterCursor(text, "text", "filter")
  const filter = parseAlternatives(cursor, 0)
  if (cursor.peek().kind !== "end") throw cursor.expected("AND, OR or a field")
  return filter
}

function parseAlternatives(cursor: FilterCursor, nesting: number): Filter {
  const parts = [parseTerms(cursor, nesting)]
  while (cursor.take("word", "OR")) parts.push(parseTerms(cursor, nesting))
  return joinFilters("or", parts)
}

function parseTerms(cursor: FilterCursor, nesting: number): Filter {
  const parts = [parseTerm(cursor, nesting)]
  while (cursor.take("word", "AND") || isTermAhead(cursor)) parts.push(parseTerm(cursor, nesting))
  return joinFilters("and", parts)
}

function isTermAhead(cursor: FilterCursor): boolean {
  const { kind, text } = cursor.peek()
  return kind === "symbol" ? text === "-" || text === "(" : kind === "word" && text.toUpperCase() !== "OR"
}

function parseTerm(cursor: FilterCursor, nesting: number): Filter {
  if (nesting > FILTER_LIMITS.depth) {
    throw badFilter(`the text is nested deeper than ${FILTER_LIMITS.depth} levels`, cursor.place())
  }
  if (cursor.take("symbol", "-")) return { kind: "not", filter: parseTerm(cursor, nesting + 1) }
  if (!cursor.take("symbol", "(")) return parseTextComparison(cursor)
  const filter = parseAlternatives(cursor, nesting + 1)
  if (!cursor.take("symbol", ")")) throw cursor.expected("AND, OR, a field or )")
  return filter
}
