import { compareDecimals } from "./decimal.ts"
import { type KeptNumbers, isDigit, isOfNumber } from "./suspect-number.ts"

/** A number whose size would be lost: it would become infinite or 0. */
export interface LostNumber {
  readonly text: string
  /** Its offset in the JSON text. */
  readonly at: number
}

/** The start and end of a number in a text. */
export interface NumberSpan {
  readonly start: number
  readonly end: number
}

/** The numbers of a text outside strings that would change, in order; or the first one whose size would be lost. */
type ChangingNumbers =
  | { readonly numbers: readonly NumberSpan[]; readonly lost: null }
  | { readonly numbers: readonly []; readonly lost: LostNumber }

/** Matches in or after each number that may change: an exponent, 16 digits, a last digit of 0, -0 or 0.000000. */
const HITS = /\d[eE]|[\d.]{16}|\.\d*0(?!\d)|-0(?![\d.])|0\.000000/g
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const FRACTION = /^-?[0-9]{1,11}\.(?!0000|9999)[0-9]{4,}$/
const NOT_ZERO = /^[^eE]*[1-9]/
/** A number of at most this many digits without an exponent can't become 0 or infinite. */
const MAX_PLAIN = 300
const QUOTE = 34
const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48
const COLON = 58
const OPEN_LIST = 91
const BACKSLASH = 92

/** Returns whether a number of a JSON text may change. */
export function mayChange(text: string): boolean {
  return text.search(HITS) !== -1
}

/** Returns the offsets of numbers that may change. */
export function listSuspects(text: string): readonly number[] {
  const starts: number[] = []
  let end = 0
  for (const { index } of text.matchAll(HITS)) {
    if (index < end) continue
    let start = index
    while (start > end && isOfNumber(text.charCodeAt(start - 1))) start--
    end = endOfNumber(text, index)
    starts.push(start)
  }
  return starts
}

/** Finds the numbers that change among those that begin at `suspects`. */
export function listChangingNumbers(text: string, suspects: readonly number[], kept: KeptNumbers): ChangingNumbers {
  const numbers: NumberSpan[] = []
  const isInString = followStrings(text)
  for (const start of suspects) {
    const end = endOfNumber(text, start)
    const change = changeIn(text, { start, end }, kept)
    // Before a colon, it is not a valid number. Replacing it by a text would make it a key.
    if (change === "none" || text.charCodeAt(firstFrom(text, end)) === COLON || isInString(start)) continue
    if (change === "lost") return { numbers: [], lost: { text: text.slice(start, end), at: start } }
    numbers.push({ start, end })
  }
  return { numbers, lost: null }
}

/** Returns `changeOf` for a part of a text. Faster for the most frequent kind, such as 1.50. */
function changeIn(text: string, { start, end }: NumberSpan, kept: KeptNumbers): Change {
  if (kept === "text" && isPadded(text, text.charCodeAt(start) === MINUS ? start + 1 : start, end)) return "kept"
  return changeOf(text.slice(start, end), kept)
}

/** Returns whether a number is a fraction that ends with 0 and has too few digits to become 0 or infinite. */
function isPadded(text: string, first: number, end: number): boolean {
  if (text.charCodeAt(end - 1) !== ZERO || end - first > MAX_PLAIN) return false
  let point = first
  while (isDigit(text.charCodeAt(point))) point++
  if (point === first || text.charCodeAt(point) !== POINT) return false
  if (text.charCodeAt(first) === ZERO && point > first + 1) return false
  let at = point + 1
  while (at < end && isDigit(text.charCodeAt(at))) at++
  return at === end
}

type Change = "none" | "kept" | "lost"

/** Returns how `JSON.parse` would change a number. */
export function changeOf(token: string, kept: KeptNumbers): Change {
  const number = Number(token)
  const written = String(number)
  if (written === token || !NUMBER.test(token)) return "none"
  if (!Number.isFinite(number)) return "lost"
  if (number === 0 && NOT_ZERO.test(token)) return "lost"
  if (kept === "value" && (isNearEnough(token) || compareDecimals(token, written) === 0)) return "none"
  return "kept"
}

/** Returns whether a number is a fraction of at most 20 digits that does not become whole if it is rounded. */
function isNearEnough(token: string): boolean {
  return token.length <= (token.startsWith("-") ? 22 : 21) && FRACTION.test(token)
}

/**
 * Creates a function that returns whether a number at a position of a text is inside a string. Call it with positions in ascending order. In
 * JSON, the characters before the number usually decide it. It is outside if it follows a colon and a quote that follows a letter or
 * digit, because such a quote can only be a closing one. It is inside if no colon, comma or bracket is before it. Otherwise the strings are
 * followed from the last known position.
 */
function followStrings(text: string): (start: number) => boolean {
  /** The text up to here is known, and ends outside strings. */
  let outside = 0
  /** The first quote after that. */
  let quote = -1

  function follow(start: number): boolean {
    for (;;) {
      if (quote < outside) quote = text.indexOf('"', outside)
      if (quote === -1) quote = text.length
      if (quote > start) return false
      const closed = endOfString(text, quote + 1)
      outside = closed + 1
      if (closed > start) return true
    }
  }

  function find(start: number): boolean {
    const before = lastBefore(text, start)
    if (before < outside || quote > start) return false
    const sign = text.charCodeAt(before)
    if (sign === COLON) {
      const ended = lastBefore(text, before)
      if (ended > outside && text.charCodeAt(ended) === QUOTE && isOfWord(text.charCodeAt(ended - 1))) return false
    } else if (sign !== COMMA && sign !== OPEN_LIST) return true
    return follow(start)
  }

  return (start) => {
    if (start < outside) return true
    const isInside = find(start)
    if (!isInside) outside = start
    return isInside
  }
}

/** Returns whether a character is a letter or a digit. In JSON, neither can be directly before an opening quote. */
function isOfWord(code: number): boolean {
  return isDigit(code) || ((code | 32) >= 97 && (code | 32) <= 122)
}

/** Returns the offset of the quote that ends a string; the length of the text if it has none. */
function endOfString(text: string, start: number): number {
  for (let from = start; ;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return text.length
    let slashes = 0
    while (text.charCodeAt(quote - slashes - 1) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return quote
    from = quote + 1
  }
}

function endOfNumber(text: string, start: number): number {
  let at = start
  while (at < text.length && isOfNumber(text.charCodeAt(at))) at++
  return at
}

/** Returns the offset of the last character before `before` that is not blank; -1 if there is none. */
function lastBefore(text: string, before: number): number {
  let at = before - 1
  while (isBlank(text.charCodeAt(at))) at--
  return at
}

/** Returns the offset of the first character from `from` on that is not blank. */
function firstFrom(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  return at
}

function isBlank(code: number): boolean {
  return code === 32 || (code <= 13 && (code === 10 || code === 13 || code === 9))
}
