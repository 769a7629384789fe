import type { KeptNumbers } from "./parse-exact-json.ts"
import { isShortestFraction } from "./shortest-fraction.ts"

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
/** Numbers of fewer characters have at most 15 digits, which are all kept. */
const LONG = 16
/** JavaScript writes 0.000001 and 1e-7. */
const ZEROS_OF_EXPONENT = 6

/**
 * Whether the characters of a number from `start` to `end` may be a number of JSON that JavaScript changes: one that `JSON.parse` does not
 * read, or in a string, may be taken for one.
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

/** Whether a number of JSON may have the character. */
export function isOfNumber(byte: number): boolean {
  return isDigit(byte) || byte === POINT || byte === MINUS || byte === PLUS || (byte | 32) === LOWER_E
}

interface NumberPlace {
  readonly start: number
  /** Behind its sign. */
  readonly first: number
  /** The end if it has none. */
  readonly point: number
  readonly end: number
}

/** Whether a short number without an exponent is written otherwise by JavaScript: 1.50, 0.0000001 and -0. */
function isRewritten(bytes: Uint8Array, { start, first, point, end }: NumberPlace): boolean {
  if (point === end) return start < first && end - first === 1 && bytes[first] === ZERO
  if (bytes[end - 1] === ZERO) return true
  if (bytes[first] !== ZERO || end - point <= ZEROS_OF_EXPONENT) return false
  for (let zero = 1; zero <= ZEROS_OF_EXPONENT; zero++) if (bytes[point + zero] !== ZERO) return false
  return true
}

/** Whether the bytes are like those of a fraction that its nearest number stands for, as `parseExactJson` has it. */
function isKeptFraction(bytes: Uint8Array, first: number, point: number, end: number): boolean {
  if (end - first > 21) return false
  const digit = bytes[point + 1]
  let same = point + 2
  while (same < point + 5 && bytes[same] === digit) same++
  const isNearWhole = same === point + 5 && (digit === ZERO || digit === NINE)
  return point - first <= 11 && !isNearWhole
}

/** Whether a byte is one that stands before numbers of JSON. */
function isOpened(before: number | undefined): boolean {
  return before === COLON || before === COMMA || before === OPEN_LIST || isBlank(before)
}

/** Whether a byte is one that stands behind numbers of JSON. */
function isClosed(behind: number | undefined): boolean {
  return behind === COMMA || behind === CLOSE_LIST || behind === CLOSE_OBJECT || isBlank(behind)
}

/** Also before the first byte and behind the last one. */
function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === SPACE || byte === NEWLINE || byte === TAB || byte === RETURN
}
