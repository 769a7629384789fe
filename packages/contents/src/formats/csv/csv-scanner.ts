import type { RowScanner, ScanState } from "../../rows/row-scanner.ts"

const NEWLINE = 10
const RETURN = 13
const QUOTE = 34

/**
 * The position of the scanner in a record. After a quote in a quoted field, the next byte decides whether the field
 * ended.
 */
type CsvMode = "field start" | "plain" | "quoted" | "quote in quotes"

/**
 * Finds the records of CSV (RFC 4180), which end at line ends outside quotes. In a file with one column, a blank line
 * is a record with an empty field. In a file with several columns, and before the header, blank lines are skipped. If
 * `columns` is given, the bytes begin after the header.
 */
export function createCsvScanner(delimiter: string, columns: readonly string[] | null = null): RowScanner {
  const separator = delimiter.charCodeAt(0)
  let mode: CsvMode = "field start"
  let hasHeader = columns !== null
  let isSingle = columns?.length === 1
  let hasSeparator = false

  /** Adds a record. The first record decides how many columns there are. */
  function addRecord(state: ScanState, bytes: Uint8Array, newline: number): void {
    const { pending, pendingLine } = state
    const end = newline > pending && bytes[newline - 1] === RETURN ? newline - 1 : newline
    if (state.isHeadless || end > pending || isSingle) {
      state.bounds.add(pending, end, pendingLine)
      if (!hasHeader) isSingle = !hasSeparator
      hasHeader = true
    }
    state.isHeadless = false
  }

  function step(byte: number): CsvMode {
    if (byte === separator) {
      hasSeparator = true
      return "field start"
    }
    if (byte === QUOTE && mode !== "plain") return "quoted"
    return "plain"
  }

  return {
    head: () => ({ encoding: "csv", delimiter, columns }),
    scan(state, bytes, from, to) {
      for (let at = from; at < to; at++) {
        const byte = bytes[at] ?? NEWLINE
        if (byte === NEWLINE) state.line++
        if (mode === "quoted") {
          if (byte === QUOTE) mode = "quote in quotes"
        } else if (byte === NEWLINE) {
          addRecord(state, bytes, at)
          state.pending = at + 1
          state.pendingLine = state.line
          mode = "field start"
        } else if (mode !== "plain" || byte === separator) {
          mode = step(byte)
        }
      }
    },
    end(state, bytes, to) {
      // The line end at the end of the file does not start another record.
      if (state.isHeadless || to > state.pending) addRecord(state, bytes, to)
      state.pending = to
    },
  }
}
