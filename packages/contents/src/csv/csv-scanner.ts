import type { RowScanner, ScanState } from "../rows/row-scanner.ts"

const NEWLINE = 10
const RETURN = 13
const QUOTE = 34

/** Where in a record the scanner stands. After a quote within quotes, the next byte tells whether that was the end. */
type CsvMode = "field start" | "plain" | "quoted" | "quote in quotes"

/**
 * Finds the records of CSV (RFC 4180): they end at line ends outside quotes. Empty lines are none. `columns` says that the
 * bytes begin behind the header.
 */
export function createCsvScanner(delimiter: string, columns: readonly string[] | null = null): RowScanner {
  const separator = delimiter.charCodeAt(0)
  let mode: CsvMode = "field start"

  function step(byte: number): CsvMode {
    if (byte === separator) return "field start"
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
      addRecord(state, bytes, to)
      state.pending = to
    },
  }
}

function addRecord(state: ScanState, bytes: Uint8Array, newline: number): void {
  const { pending, pendingLine } = state
  const end = newline > pending && bytes[newline - 1] === RETURN ? newline - 1 : newline
  if (state.isHeadless || end > pending) state.bounds.add(pending, end, pendingLine)
  state.isHeadless = false
}
