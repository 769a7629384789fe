import type { RowReading } from "../rows/row-reading.ts"
import { findJsonFault } from "./find-json-fault.ts"

/** Texts from which it is worth a look before: to parse millions of brackets takes seconds. */
const LONG_TEXT = 1024 * 1024
const MAX_DEPTH = 1000
const QUOTE = 34
const BACKSLASH = 92

/** The value that `text` is as JSON. */
export function readJson(text: string): RowReading {
  if (text.length > LONG_TEXT && isDeep(text))
    return { row: null, fault: `is nested more than ${MAX_DEPTH} levels deep` }
  try {
    return { row: JSON.parse(text) as unknown, fault: null }
  } catch {
    const { at, expected } = findJsonFault(text)
    return { row: null, fault: `is not JSON: ${expected} at ${placeIn(text, at)}` }
  }
}

/** Whether more brackets are open anywhere in `text` than a row may have. */
function isDeep(text: string): boolean {
  let depth = 0
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isString = false
    } else if (code === QUOTE) isString = true
    // `[` and `{`, `]` and `}` are 32 apart.
    else if ((code | 32) === 123) {
      if (++depth > MAX_DEPTH) return true
    } else if ((code | 32) === 125) depth--
  }
  return false
}

/** Rows of several lines are easier to find by line. */
function placeIn(text: string, at: number): string {
  if (at === text.length) return "its end"
  const lines = text.slice(0, at).split("\n").length
  return lines === 1 ? `character ${at + 1}` : `character ${at + 1}, on line ${lines} of the row`
}
