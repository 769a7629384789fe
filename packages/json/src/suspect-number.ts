import { isShortestFraction } from "./shortest-fraction.ts"

/**
 * Says how numbers are kept. `text` keeps 1.50 as 1.50. `value` reads 1.50 as 1.5, and keeps only numbers as text that no JavaScript
 * number can represent; a fraction of at most 20 digits then becomes its nearest number, unless that could be whole.
 */
export type KeptNumbers = "text" | "value"

const TAB = 9
const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const PLUS = 43
const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const OPEN_LIST = 91
const CLOSE_LIST = 93
const LOWER_E = 101
const CLOSE_OBJECT = 125
/** Numbers of fewer characters have at most 15 digits, which are always kept. */
const LONG = 16
/** JavaScript writes 0.000001, but 1e-7 instead of 0.0000001. */
const ZEROS_OF_EXPONENT = 6

/**
 * Returns whether the bytes from `start` to `end` may be a JSON number that JavaScript changes. It may also return true for an invalid
 * number, or for digits in a string.
 */
export function isSuspect(bytes: Uint8Array, start: number, end: number, kept: KeptNumbers): boolean {
  const first = bytes[start] === MINUS ? start + 1 : start
  if (!isDigit(bytes[first] as number) || !isOpened(bytes[start - 1]) || !isClosed(bytes[end])) return false
  let point = end
  for (let at = first + 1; at < end; at++) {
    const byte = bytes[at] as number
    if ((byte | 32) === LOWER_E) return true
    if (byte === POINT) point = at
  }
  const length = end - first
  if (kept === "text" && isRewritten(bytes, { start, first, point, end })) return true
  if (length < LONG) return false
  return kept === "text" ? !isShortestFraction(bytes, first, end) : !isKeptFraction(bytes, first, point, end)
}

export function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= NINE
}

/** Returns whether a JSON number can contain the character. */
export function isOfNumber(byte: number): boolean {
  return isDigit(byte) || byte === POINT || byte === MINUS || byte === PLUS || (byte | 32) === LOWER_E
}

interface NumberPosition {
  readonly start: number
  /** The offset of its first digit, after its sign. */
  readonly first: number
  /** The offset of its point; its end if it has none. */
  readonly point: number
  readonly end: number
}

/** Returns whether JavaScript writes a short number without an exponent in another way: 1.50, 0.0000001 or -0. */
function isRewritten(bytes: Uint8Array, { start, first, point, end }: NumberPosition): boolean {
  if (point === end) return start < first && end - first === 1 && bytes[first] === ZERO
  if (bytes[end - 1] === ZERO) return true
  if (bytes[first] !== ZERO || end - point <= ZEROS_OF_EXPONENT) return false
  for (let zero = 1; zero <= ZEROS_OF_EXPONENT; zero++) if (bytes[point + zero] !== ZERO) return false
  return true
}

/** Returns whether `parseExactJson` replaces the fraction by its nearest number when it keeps values. */
function isKeptFraction(bytes: Uint8Array, first: number, point: number, end: number): boolean {
  if (end - first > 21) return false
  const digit = bytes[point + 1]
  let same = point + 2
  while (same < point + 5 && bytes[same] === digit) same++
  const isNearWhole = same === point + 5 && (digit === ZERO || digit === NINE)
  return point - first <= 11 && !isNearWhole
}

/** Returns whether a byte can be before a JSON number. */
function isOpened(before: number | undefined): boolean {
  return before === COLON || before === COMMA || before === OPEN_LIST || isBlank(before)
}

/** Returns whether a byte can be after a JSON number. */
function isClosed(after: number | undefined): boolean {
  return after === COMMA || after === CLOSE_LIST || after === CLOSE_OBJECT || isBlank(after)
}

/** Returns whether a byte is blank. The positions before the first byte and after the last one count as blank. */
function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === SPACE || byte === NEWLINE || byte === TAB || byte === RETURN
}
