import type { RowHead } from "../../rows/row-block.ts"
import type { RowScanner, ScanState } from "../../rows/row-scanner.ts"

const NEWLINE = 10
const QUOTE = 34
const COMMA = 44
const OPEN_ARRAY = 91
const BACKSLASH = 92
const CLOSE_ARRAY = 93
const OPEN_OBJECT = 123
const CLOSE_OBJECT = 125

/**
 * The position of the scanner: at the start; in an array between elements or in one; in a series of values between two
 * or in one; after the array; or after a fault.
 */
type JsonMode = "start" | "gap" | "element" | "between" | "value" | "after" | "lost"

/**
 * Finds the rows of a JSON file without parsing them. A row with unbalanced brackets ends where the enclosing brackets
 * end, and a string ends at the end of its line. This limits a fault to its own row as far as possible. If `head` has a
 * shape, the bytes begin in the middle of a file, at the start of a row.
 */
export function createJsonScanner(head: Extract<RowHead, { readonly encoding: "json" }>): RowScanner {
  const { shape } = head
  let found = shape
  let mode: JsonMode = shape === null ? "start" : shape === "array" ? "gap" : "between"
  let afterComma = false
  let inString = false
  let isEscaped = false
  const nesting = createNesting()

  function begin(state: ScanState, at: number, into: "element" | "value"): void {
    mode = into
    state.pending = at
    state.pendingLine = state.line
  }

  function finish(state: ScanState, bytes: Uint8Array, at: number, next: JsonMode): void {
    let end = at
    while (end > state.pending && isSpace(bytes[end - 1])) end--
    state.bounds.add(state.pending, end, state.pendingLine)
    state.isHeadless = false
    mode = next
  }

  /** Handles a byte outside rows. */
  function stepOutside(state: ScanState, bytes: Uint8Array, byte: number, at: number): void {
    if (isSpace(byte) || mode === "lost") return
    if (mode === "start") {
      found = byte === OPEN_ARRAY ? "array" : "values"
      mode = byte === OPEN_ARRAY ? "gap" : "between"
      if (byte === OPEN_ARRAY) return
    }
    if (mode === "after") {
      state.fault = { at, line: state.line, text: "is not allowed here: something follows the array" }
      mode = "lost"
    } else if (mode === "gap" && (byte === COMMA || byte === CLOSE_ARRAY)) {
      if (byte === COMMA || afterComma) {
        begin(state, at, "element")
        finish(state, bytes, at, "gap")
      }
      afterComma = byte === COMMA
      mode = byte === COMMA ? "gap" : "after"
    } else {
      begin(state, at, mode === "gap" ? "element" : "value")
      stepInside(state, bytes, byte, at)
    }
  }

  /** Handles a byte of a row, outside strings. */
  function stepInside(state: ScanState, bytes: Uint8Array, byte: number, at: number): void {
    if (byte === QUOTE) inString = true
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) nesting.open(byte)
    else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) close(state, bytes, byte, at)
    else if (mode === "element" && byte === COMMA && nesting.isFlat()) {
      finish(state, bytes, at, "gap")
      afterComma = true
    } else if (mode === "value" && isSpace(byte) && nesting.isFlat()) finish(state, bytes, at, "between")
  }

  function close(state: ScanState, bytes: Uint8Array, byte: number, at: number): void {
    if (nesting.close(byte === CLOSE_ARRAY ? OPEN_ARRAY : OPEN_OBJECT)) {
      if (mode === "value" && nesting.isFlat()) finish(state, bytes, at + 1, "between")
    } else if (mode === "element" && byte === CLOSE_ARRAY) {
      nesting.clear()
      finish(state, bytes, at, "after")
    }
  }

  function stepInString(state: ScanState, bytes: Uint8Array, byte: number, at: number): void {
    if (isEscaped && byte !== NEWLINE) isEscaped = false
    else if (byte === BACKSLASH) isEscaped = true
    else if (byte === QUOTE || byte === NEWLINE) {
      inString = false
      isEscaped = false
      if (mode === "value" && nesting.isFlat()) finish(state, bytes, at + 1, "between")
    }
  }

  return {
    head: () => ({ ...head, shape: found }),
    scan(state, bytes, from, to) {
      for (let at = from; at < to; at++) {
        if (inString && !isEscaped) at = endOfPlainText(bytes, at, to)
        if (at === to) break
        const byte = bytes[at] ?? 0
        if (inString) stepInString(state, bytes, byte, at)
        else if (mode === "element" || mode === "value") stepInside(state, bytes, byte, at)
        else stepOutside(state, bytes, byte, at)
        if (byte === NEWLINE) state.line++
      }
      if (mode !== "element" && mode !== "value") forget(state, to)
    },
    end(state, bytes, to) {
      const isOpen = mode === "element" || mode === "gap"
      if (mode === "element" || mode === "value") finish(state, bytes, to, "lost")
      if (isOpen) state.fault = { at: to, line: state.line, text: "is missing: the array does not end with ']'" }
      forget(state, to)
    },
  }
}

/** Returns the index of the next byte that matters inside a string. Most bytes of a file are skipped here. */
function endOfPlainText(bytes: Uint8Array, at: number, to: number): number {
  let end = at
  for (; end < to; end++) {
    const byte = bytes[end]
    if (byte === QUOTE || byte === BACKSLASH || byte === NEWLINE) break
  }
  return end
}

/** Marks all bytes before `to` as no longer needed. */
function forget(state: ScanState, to: number): void {
  state.pending = to
  state.pendingLine = state.line
}

function isSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === NEWLINE || byte === 13 || byte === 9
}

/** Number of nesting levels whose bracket kinds are tracked. Deeper levels are only counted. */
const MAX_TRACKED_LEVELS = 1000

/** The open brackets, identified by their opening byte. */
interface Nesting {
  readonly open: (byte: number) => void
  /** Closes the innermost bracket opened by `byte`, and those inside it. Returns false if there is none. */
  readonly close: (byte: number) => boolean
  readonly isFlat: () => boolean
  readonly clear: () => void
}

/** Creates an empty nesting. Its memory is bounded, however deep the brackets are nested. */
function createNesting(): Nesting {
  const levels: number[] = []
  let deeper = 0
  return {
    open(byte) {
      if (levels.length < MAX_TRACKED_LEVELS) levels.push(byte)
      else deeper++
    },
    close(byte) {
      if (deeper > 0) {
        deeper--
        return true
      }
      const level = levels.lastIndexOf(byte)
      if (level === -1) return false
      levels.length = level
      return true
    },
    isFlat: () => levels.length === 0,
    clear() {
      levels.length = 0
      deeper = 0
    },
  }
}
