import type { RowHead } from "../../rows/row-block.ts"
import type { RowScanner, ScanState } from "../../rows/row-scanner.ts"

const TAB = 9
const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const COMMA = 44
const OPEN_ARRAY = 91
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123

const REMEDY =
  "a file of JSON lines has one row per line; rename it to .json, or write one row per line, for example with"

/**
 * Finds the rows of JSON lines: every line that is not blank. A file that is one array of objects, or one value over several lines, is not
 * JSON lines. It ends with that fault.
 * @param isBeginning whether the bytes begin with the first row of the file
 */
export function createLineScanner(
  head: Extract<RowHead, { readonly encoding: "lines" }>,
  isBeginning: boolean,
): RowScanner {
  /** The first line that is not blank, within the buffer; null if more lines follow, or if it is not known. */
  let only: { readonly start: number; readonly end: number; readonly line: number } | null | undefined = isBeginning
    ? undefined
    : null

  /** Adds one line. The carriage return that a CRLF line end leaves is white space in JSON. */
  function addLine(state: ScanState, bytes: Uint8Array, end: number): void {
    const { pending: start, pendingLine: line, isHeadless } = state
    state.isHeadless = false
    if (!isHeadless && firstFrom(bytes, start, end) === end) return
    const isFirst = only === undefined
    only = isFirst && !isHeadless ? { start, end, line } : null
    if (isFirst && !isHeadless && isUnfinished(bytes, start, end)) {
      state.fault = { at: start, line, text: `begins a value over several lines; ${REMEDY} 'jq -c'` }
    } else state.bounds.add(start, end, line)
  }

  return {
    head: () => head,
    scan(state, bytes, from, to) {
      const scanned = Buffer.from(bytes.buffer, bytes.byteOffset, to)
      for (let end = scanned.indexOf(NEWLINE, from); end !== -1; end = scanned.indexOf(NEWLINE, end + 1)) {
        if (state.fault === undefined) addLine(state, bytes, end)
        state.pending = end + 1
        state.pendingLine = ++state.line
      }
    },
    end(state, bytes, to) {
      if (state.fault === undefined) addLine(state, bytes, to)
      // The line is still in the buffer if no block was cut since.
      if (only != null && state.bounds.count() === 1 && isArrayOfRows(bytes, only.start, only.end)) {
        state.bounds.take(1)
        state.fault = {
          at: only.start,
          line: only.line,
          text: `is an array that holds all rows; ${REMEDY} 'jq -c .[]'`,
        }
      }
      state.pending = to
    },
  }
}

/** Returns whether the line only opens an array or an object, or is a part of an array that ends with a comma. */
function isUnfinished(bytes: Uint8Array, from: number, to: number): boolean {
  const first = firstFrom(bytes, from, to)
  let last = to - 1
  while (isSpace(bytes[last])) last--
  const opened = bytes[first]
  return (
    (first === last && (opened === OPEN_ARRAY || opened === OPEN_OBJECT)) ||
    (opened === OPEN_ARRAY && bytes[last] === COMMA)
  )
}

/** Returns whether a line is an array of objects, or an empty one. */
function isArrayOfRows(bytes: Uint8Array, from: number, to: number): boolean {
  const first = firstFrom(bytes, from, to)
  const inner = bytes[firstFrom(bytes, first + 1, to)]
  return bytes[first] === OPEN_ARRAY && (inner === OPEN_OBJECT || inner === CLOSE_ARRAY)
}

/** Returns the index of the first byte that is not blank, or `to`. */
function firstFrom(bytes: Uint8Array, from: number, to: number): number {
  let at = from
  while (at < to && isSpace(bytes[at])) at++
  return at
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB || byte === RETURN
}
