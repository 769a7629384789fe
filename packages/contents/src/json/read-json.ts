import type { RowReading } from "../rows/row-reading.ts"
import { findJsonFault } from "./find-json-fault.ts"

/** Texts from which it is worth a look before: to parse millions of brackets or keys takes seconds. */
const LONG_TEXT = 1024 * 1024
const MAX_DEPTH = 1000
const MAX_KEYS = 100_000
/** Elements and properties together. */
const MAX_VALUES = 1_000_000
const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
const COMMA = 44

/** The value that `text` is as JSON. */
export function readJson(text: string): RowReading {
  const excess = text.length > LONG_TEXT ? excessOf(text) : undefined
  if (excess !== undefined) return { row: null, fault: excess }
  try {
    return { row: JSON.parse(text) as unknown, fault: null }
  } catch {
    const { at, expected } = findJsonFault(text)
    return { row: null, fault: `is not JSON: ${expected} at ${placeIn(text, at)}` }
  }
}

/** What `text` has more of than a row may have, as the end of a sentence. */
function excessOf(text: string): string | undefined {
  let depth = 0
  let keys = 0
  let values = 1
  let isString = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isString) {
      if (code === BACKSLASH) at++
      else if (code === QUOTE) isString = false
    } else if (code === QUOTE) isString = true
    // `[` and `{`, `]` and `}` are 32 apart.
    else if ((code | 32) === 123) {
      if (++depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`
    } else if ((code | 32) === 125) depth--
    else if (code === COLON && ++keys > MAX_KEYS) return `has more than ${MAX_KEYS} keys`
    else if (code === COMMA && ++values > MAX_VALUES) return `has more than ${MAX_VALUES} values`
  }
  return undefined
}

/** Rows of several lines are easier to find by line. */
function placeIn(text: string, at: number): string {
  if (at === text.length) return "its end"
  const lines = text.slice(0, at).split("\n").length
  return lines === 1 ? `character ${at + 1}` : `character ${at + 1}, on line ${lines} of the row`
}
