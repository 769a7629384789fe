import type { RowScanner, ScanState } from "../../rows/row-scanner.ts"
import type { CsvHead } from "./csv-record.ts"

const NEWLINE = 10
const RETURN = 13
const QUOTE = 34

/**
 * The position of the scanner in a record. After a quote in a quoted field, the next byte decides whether the field
 * ended.
 */
type CsvMode = "field start" | "plain" | "quoted" | "quote in quotes"

/**
 * Finds the records of CSV (RFC 4180), which end at line ends outside quotes: LF, CR LF, CR, and CR CR LF, which Python writes on Windows
 * without `newline=""`. In a file with one column, a blank line is a record with an empty field. In a file with several columns, and
 * before the header, blank lines are skipped. If `head` has columns, the bytes begin after the header.
 */
export function createCsvScanner(head: CsvHead): RowScanner {
  const { columns, dialect } = head
  const separator = dialect.delimiter.charCodeAt(0)
  const quote = dialect.hasQuotes ? QUOTE : -1
  let mode: CsvMode = "field start"
  let hasHeader = columns !== null
  let isSingle = columns?.length === 1
  let hasSeparator = false
  /** Number of carriage returns directly before the next byte. The first one ended a record. The second one may belong to it. */
  let returns = 0
  /** Whether the last byte of a quoted field was a carriage return. A line feed then belongs to it. */
  let isAfterReturn = false

  /** Adds the record that ends before `end`. The first record decides how many columns there are. */
  function addRecord(state: ScanState, end: number): void {
    const { pending, pendingLine } = state
    if (state.isHeadless || end > pending || isSingle) {
      state.bounds.add(pending, end, pendingLine)
      if (!hasHeader) isSingle = !hasSeparator
      hasHeader = true
    }
    state.isHeadless = false
  }

  /** Ends a record before the line end at `at`. */
  function endRecord(state: ScanState, at: number): void {
    addRecord(state, at)
    state.pending = at + 1
    state.pendingLine = ++state.line
    mode = "field start"
  }

  function readLineEnd(state: ScanState, byte: number, at: number): void {
    if (returns === 0) {
      endRecord(state, at)
      returns = byte === RETURN ? 1 : 0
    } else if (byte === NEWLINE) {
      state.pending = at + 1
      returns = 0
    } else {
      // Two carriage returns are pending now. The first of them ended a blank line.
      if (returns === 2) endRecord(state, state.pending)
      returns = 2
    }
  }

  /** Ends a blank line if the last byte was a second carriage return without a line feed. */
  function settleReturns(state: ScanState): void {
    if (returns === 2) endRecord(state, state.pending)
    returns = 0
  }

  function step(byte: number): CsvMode {
    if (byte === separator) {
      hasSeparator = true
      return "field start"
    }
    if (byte === quote && mode !== "plain") return "quoted"
    return "plain"
  }

  return {
    head: () => head,
    scan(state, bytes, from, to) {
      for (let at = from; at < to; at++) {
        const byte = bytes[at] ?? NEWLINE
        if (mode === "quoted") {
          if (byte === QUOTE) mode = "quote in quotes"
          else if (byte === RETURN || (byte === NEWLINE && !isAfterReturn)) state.line++
          isAfterReturn = byte === RETURN
        } else if (byte === NEWLINE || byte === RETURN) {
          readLineEnd(state, byte, at)
        } else {
          if (returns !== 0) settleReturns(state)
          if (mode !== "plain" || byte === separator) mode = step(byte)
        }
      }
    },
    end(state, _bytes, to) {
      settleReturns(state)
      // The line end at the end of the file does not start another record.
      if (state.isHeadless || to > state.pending) addRecord(state, to)
      state.pending = to
    },
  }
}
