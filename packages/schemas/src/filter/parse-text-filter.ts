import { checkJsonShape } from "../requests/json-shape.ts"
import { createFilterCursor, readItems, readJsonWord, type FilterCursor } from "./filter-cursor.ts"
import { badFilter, type FilterSyntax } from "./filter-syntax.ts"
import {
  FILESET_FILTER_FIELDS,
  resolveFilterField,
  splitFieldName,
  unknownFilterField,
  type FilterFields,
} from "./filter-fields.ts"
import { FILTER_LIMITS } from "./filter-limits.ts"
import { joinFilters, type Filter, type FilterOperator } from "./filter.ts"
import { readCondition } from "./read-condition.ts"

/**
 * Parses the text form: `purpose:"dataset" AND (name~"a" OR -created_at>"2025-01-01")`. Terms without an operator between them are
 * joined by AND, AND binds tighter than OR, and `-` negates the next term or group.
 *
 * @throws `bad_filter`, `unknown_filter_field`, `invalid_request`
 */
export function parseTextFilter(text: string, fields: FilterFields = FILESET_FILTER_FIELDS): Filter {
  checkJsonShape(text, ["query", "filter"])
  const cursor = createFilterCursor(text, "text", "filter")
  const filter = parseAlternatives({ cursor, fields }, 0)
  if (cursor.peek().kind !== "end") throw cursor.expected("AND, OR or a field")
  return filter
}

/** The text that is read, and the fields of the listing. */
interface Reading {
  readonly cursor: FilterCursor
  readonly fields: FilterFields
}

function parseAlternatives(reading: Reading, nesting: number): Filter {
  const { cursor } = reading
  const parts = [parseTerms(reading, nesting)]
  while (cursor.take("word", "OR")) parts.push(parseTerms(reading, nesting))
  return joinFilters("or", parts)
}

function parseTerms(reading: Reading, nesting: number): Filter {
  const { cursor } = reading
  const parts = [parseTerm(reading, nesting)]
  while (cursor.take("word", "AND") || isTermAhead(cursor)) parts.push(parseTerm(reading, nesting))
  return joinFilters("and", parts)
}

function isTermAhead(cursor: FilterCursor): boolean {
  const { kind, text } = cursor.peek()
  return kind === "symbol" ? text === "-" || text === "(" : kind === "word" && text.toUpperCase() !== "OR"
}

function parseTerm(reading: Reading, nesting: number): Filter {
  const { cursor } = reading
  if (nesting > FILTER_LIMITS.depth) {
    throw badFilter(`the text is nested deeper than ${FILTER_LIMITS.depth} levels`, cursor.location())
  }
  if (cursor.take("symbol", "-")) return { kind: "not", filter: parseTerm(reading, nesting + 1) }
  if (!cursor.take("symbol", "(")) return parseTextComparison(reading)
  const filter = parseAlternatives(reading, nesting + 1)
  if (!cursor.take("symbol", ")")) throw cursor.expected("AND, OR, a field or )")
  return filter
}

const OPERATORS: ReadonlyMap<string, FilterOperator> = new Map([
  [":", "$eq"],
  ["~", "$like"],
  ["<", "$lt"],
  ["<=", "$lte"],
  [">", "$gt"],
  [">=", "$gte"],
])

const RESERVED: ReadonlySet<string> = new Set(["AND", "OR", "NOT", "IN"])

/**
 * Parses one comparison of the text form: `name~"a"`, `purpose IN ["model"]`, `metadata["key"] NOT IN [1]`.
 *
 * @throws `bad_filter`, `unknown_filter_field`, `invalid_request`
 */
function parseTextComparison({ cursor, fields }: Reading): Filter {
  const start = cursor.location()
  const name = readFieldName(cursor)
  const keys = splitFieldName(name)
  if (keys === undefined) throw unknownFilterField(name, Object.keys(fields))
  const field = resolveFilterField({ keys, written: name, location: start }, fields)
  const location = cursor.location()
  const operator = readOperator(cursor)
  const value = operator === "$in" || operator === "$nin" ? readList(cursor) : readValue(cursor)
  const loc = ["query", "filter", name, ...(operator === "$eq" ? [] : [operator])]
  return readCondition({ field, operator, value, location, loc }, fields)
}

/** Reads the name of a field: a dotted word, then keys in brackets and more dotted words. */
function readFieldName(cursor: FilterCursor): string {
  const { kind, text, start } = cursor.peek()
  if (kind !== "word" || RESERVED.has(text.toUpperCase())) throw cursor.expected("a field (- negates it)")
  do {
    cursor.next()
    while (cursor.take("symbol", "[")) {
      if (cursor.peek().kind !== "string") throw cursor.expected("a key in double quotes")
      cursor.next()
      if (!cursor.take("symbol", "]")) throw cursor.expected("]")
    }
  } while (cursor.peek().kind === "word" && cursor.peek().text.startsWith("."))
  return cursor.written(start)
}

function readOperator(cursor: FilterCursor): FilterOperator {
  const { kind, text } = cursor.peek()
  const operator = kind === "symbol" ? OPERATORS.get(text) : undefined
  if (operator !== undefined) {
    cursor.next()
    return operator
  }
  if (cursor.take("word", "IN")) return "$in"
  if (!cursor.take("word", "NOT")) throw cursor.expected("an operator (: ~ > >= < <=, IN, NOT IN)")
  if (!cursor.take("word", "IN")) throw cursor.expected("IN")
  return "$nin"
}

function readValue(cursor: FilterCursor): FilterSyntax {
  const location = cursor.location()
  if (cursor.peek().kind === "string") return { kind: "scalar", value: cursor.next().text, location }
  const value = readJsonWord(cursor, "a value (text in double quotes, a number, true, false, null)")
  return { kind: "scalar", value, location }
}

function readList(cursor: FilterCursor): FilterSyntax {
  const location = cursor.location()
  if (!cursor.take("symbol", "[")) throw cursor.expected("a list in [ ]")
  return { kind: "list", items: readItems(cursor, "]", () => readValue(cursor)), location }
}
