import type { RowScanner, ScanState } from "../../rows/row-scanner.ts"

const NEWLINE = 10
const RETURN = 13

/** Finds the rows of JSON lines: every line that is not blank. */
export function createLineScanner(): RowScanner {
  return {
    head: () => ({ encoding: "lines" }),
    scan(state, bytes, from, to) {
      const scanned = Buffer.from(bytes.buffer, bytes.byteOffset, to)
      for (let end = scanned.indexOf(NEWLINE, from); end !== -1; end = scanned.indexOf(NEWLINE, end + 1)) {
        addLine(state, bytes, end)
        state.pending = end + 1
        state.pendingLine = ++state.line
      }
    },
    end(state, bytes, to) {
      addLine(state, bytes, to)
      state.pending = to
    },
  }
}

/** Adds one line. The carriage return that a CRLF line end leaves is white space in JSON. */
function addLine(state: ScanState, bytes: Uint8Array, end: number): void {
  const { pending, pendingLine } = state
  if (state.isHeadless || !isBlank(bytes, pending, end)) state.bounds.add(pending, end, pendingLine)
  state.isHeadless = false
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte !== 32 && byte !== 9 && byte !== RETURN) return false
  }
  return true
}
