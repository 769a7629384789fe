import type { KeptNumbers } from "./parse-exact-json.ts"

const TAB = 9
const NEWLINE = 10
const RETURN = 13
const SPACE = 32
const QUOTE = 34
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

/** Where the first number from `from` on begins that `JSON.parse` may change; the length of the bytes if there is none. */
export type FindChangingNumber = (from: number) => number

/**
 * Looks for numbers in bytes of JSON that would change: what is to be kept of them. It never misses one, and takes digits in strings for numbers if
 * what is around them is as around numbers. Most bytes are looked at four at a time, since a text without such numbers is to be read at
 * full speed.
 */
export function createNumberFinder(bytes: Uint8Array, kept: KeptNumbers): FindChangingNumber {
  const { length } = bytes
  // Words are aligned in the buffer, and not in the bytes.
  const ahead = -bytes.byteOffset & 3
  const words = new Int32Array(bytes.buffer, bytes.byteOffset + ahead, Math.max(0, length - ahead) >> 2)
  const isText = kept === "text"

  return (from) => {
    let at = from
    while (at < length) {
      if (((at - ahead) & 3) === 0) {
        at = ahead + 4 * nextWordWithDigit(words, (at - ahead) >> 2)
        if (at >= length) return length
      }
      let byte = bytes[at] as number
      if (byte < ZERO || byte > NINE) {
        at++
        continue
      }
      const start = at
      if (!isOpened(bytes, start)) {
        // It is in a string, of which the rest is passed over. No string goes over a line end.
        do byte = bytes[++at] as number
        while (at < length && byte !== QUOTE && byte !== NEWLINE)
        continue
      }
      let last = byte
      byte = bytes[++at] as number
      while ((byte >= ZERO && byte <= NINE) || byte === POINT) {
        last = byte
        byte = bytes[++at] as number
      }
      const isSuspect =
        (byte | 32) === LOWER_E ||
        (at - start >= LONG && (isText || !isKeptFraction(bytes, start, at))) ||
        (isText && isRewritten(bytes, start, at, last))
      if (isSuspect && isClosed(bytes, at)) return start
    }
    return length
  }
}

/** The first word, from one on, that may hold a digit: whose high four bits are 3 in some byte. */
function nextWordWithDigit(words: Int32Array, from: number): number {
  const count = words.length
  let word = from
  while (word < count) {
    const high = ((words[word] as number) ^ 0x30303030) & 0xf0f0f0f0
    if (((high - 0x01010101) & ~high & 0x80808080) !== 0) break
    word++
  }
  return word
}

/** Whether a short number without an exponent is written otherwise by JavaScript: 1.50, 0.0000001 and -0. */
function isRewritten(bytes: Uint8Array, start: number, end: number, last: number): boolean {
  const length = end - start
  if (length === 1) return last === ZERO && bytes[start - 1] === MINUS
  if (last === ZERO) return pointIn(bytes, start, end) < end
  if (bytes[start] !== ZERO || length < ZEROS_OF_EXPONENT + 3) return false
  for (let zero = 0; zero < ZEROS_OF_EXPONENT; zero++) if (bytes[start + 2 + zero] !== ZERO) return false
  return true
}

/** Whether the bytes are like those of a fraction that its nearest number stands for, as `isNearEnough` has it. */
function isKeptFraction(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start > 21) return false
  const point = pointIn(bytes, start, end)
  const first = bytes[point + 1]
  let same = point + 2
  while (same < point + 5 && bytes[same] === first) same++
  const isNearWhole = same === point + 5 && (first === ZERO || first === NINE)
  return point - start <= 11 && !isNearWhole
}

/** Where the point of a number is; its end if it has none. */
function pointIn(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && bytes[at] !== POINT) at++
  return at
}

/** Whether before the digit at `start` stands what stands before numbers of JSON. */
function isOpened(bytes: Uint8Array, start: number): boolean {
  let before = bytes[start - 1]
  if (before === MINUS) before = bytes[start - 2]
  return before === COLON || before === COMMA || before === OPEN_LIST || isBlank(before)
}

/** Whether behind the digits that end at `end` stands what stands behind numbers of JSON; an exponent may be between. */
function isClosed(bytes: Uint8Array, end: number): boolean {
  let at = end
  let behind = bytes[at]
  while (behind !== undefined && isOfNumber(behind)) behind = bytes[++at]
  return behind === COMMA || behind === CLOSE_LIST || behind === CLOSE_OBJECT || isBlank(behind)
}

function isOfNumber(byte: number): boolean {
  return (byte >= ZERO && byte <= NINE) || byte === POINT || byte === MINUS || byte === PLUS || (byte | 32) === LOWER_E
}

/** Also before the first byte and behind the last one. */
function isBlank(byte: number | undefined): boolean {
  return byte === undefined || byte === SPACE || byte === NEWLINE || byte === TAB || byte === RETURN
}
