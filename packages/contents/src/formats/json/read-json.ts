import { findDuplicateKey, parseExactJson, type KeptNumbers, type LostNumber } from "@assay/json"
import type { RowReading } from "../../rows/row.ts"
import { findJsonFault } from "./find-json-fault.ts"

const MAX_SHOWN_CHARACTERS = 40

/** Parses `text` as JSON. It must not contain a number that `JSON.parse` changes. */
export function readPlainJson(text: string, limits?: RowLimits): RowReading {
  const excess = excessOf(text, limits)
  if (excess !== undefined) return { row: null, fault: excess }
  try {
    return { row: JSON.parse(text) as unknown, fault: null }
  } catch {
    return { row: null, fault: notJson(text) }
  }
}

/**
 * Parses `text` as JSON and keeps numbers that a JavaScript number can't hold. A number that can't be kept at all is a
 * fault. `suspects` are as in `parseExactJson`.
 */
export function readJson(
  text: string,
  kept: KeptNumbers,
  suspects?: readonly number[],
  limits?: RowLimits,
): RowReading {
  const excess = excessOf(text, limits)
  if (excess !== undefined) return { row: null, fault: excess }
  try {
    const { value, hasExact, lost } = parseExactJson(text, kept, suspects)
    if (lost !== null) return { row: null, fault: lostNumber(text, lost) }
    return hasExact ? { row: value, fault: null, hasExact } : { row: value, fault: null }
  } catch {
    return { row: null, fault: notJson(text) }
  }
}

/** Refuses a row with an object that has a key twice: programs disagree on which of the values counts. `reading` is that of `text`. */
export function refuseDuplicateKeys(reading: RowReading, text: string): RowReading {
  if (reading.fault !== null) return reading
  const twice = findDuplicateKey(text, reading.row, reading.hasExact === true)
  if (twice === undefined) return reading
  const key = JSON.stringify(shorten(twice.key))
  return {
    row: null,
    fault: `has the key ${key} twice in an object, again at ${positionIn(text, twice.at)}; write each key once`,
  }
}

function notJson(text: string): string {
  const { at, expected, hint } = findJsonFault(text)
  return `is not JSON: ${expected} at ${positionIn(text, at)}${hint === undefined ? "" : `; ${hint}`}`
}

function lostNumber(text: string, lost: LostNumber): string {
  return `has the number ${shorten(lost.text)} at ${positionIn(text, lost.at)}, which can't be kept; write it as text, or with a smaller exponent`
}

function shorten(text: string): string {
  return text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text
}

/** Names a position. In a row of several lines it includes the line. */
function positionIn(text: string, at: number): string {
  if (at === text.length) return "its end"
  const lines = text.slice(0, at).split("\n").length
  return lines === 1 ? `character ${at + 1}` : `character ${at + 1}, on line ${lines} of the row`
}

/**
 * Minimum length of a text that is examined before it is parsed, because millions of brackets or keys take seconds to
 * parse.
 */
const LONG_TEXT = 512 * 1024
const MAX_DEPTH = 1000

/** Limits of the JSON of one row. */
export interface RowLimits {
  readonly keys: number
  /** Includes keys. */
  readonly strings: number
  /** Elements and properties. */
  readonly values: number
}

const ROW_LIMITS: RowLimits = { keys: 50_000, strings: 200_000, values: 1_000_000 }
const QUOTE = 34
const BACKSLASH = 92
const COLON = 58
const COMMA = 44

/**
 * Says which limit the JSON `text` exceeds, as the end of a sentence. Returns undefined for a short text or one within
 * the limits.
 */
export function excessOf(text: string, limits = ROW_LIMITS): string | undefined {
  if (text.length <= LONG_TEXT) return undefined
  let depth = 0
  let keys = 0
  let strings = 0
  let values = 1
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      if (++strings > limits.strings) return `has more than ${limits.strings} keys and texts`
      at = endOfString(text, at)
    }
    // The codes of `[` and `{`, and of `]` and `}`, differ by 32.
    else if ((code | 32) === 123) {
      if (++depth > MAX_DEPTH) return `is nested more than ${MAX_DEPTH} levels deep`
    } else if ((code | 32) === 125) depth--
    else if (code === COLON && ++keys > limits.keys) return `has more than ${limits.keys} keys`
    else if (code === COMMA && ++values > limits.values) return `has more than ${limits.values} values`
  }
  return undefined
}

/** Returns the index of the quote that closes the string at `start`, or the length of the text if nothing closes it. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end !== -1) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
    end = text.indexOf('"', end + 1)
  }
  return text.length
}
