import type { FilterCursor } from "./filter-cursor.ts"
import type { FilterScalar } from "./filter.ts"
import { parseJsonNumber } from "./parse-json-number.ts"

/** A number, `true`, `false` or `null`. @throws `bad_filter` that says `what` is expected */
export function readJsonWord(cursor: FilterCursor, what: string): FilterScalar {
  const { kind, text } = cursor.peek()
  const value = kind === "word" ? valueOf(text) : undefined
  if (value === undefined) throw cursor.expected(what)
  cursor.next()
  return value
}

function valueOf(word: string): FilterScalar | undefined {
  if (word === "null") return null
  if (word === "true") return true
  return word === "false" ? false : parseJsonNumber(word)
}
