import { compareDecimals } from "./decimal.ts"
import { exactNumber } from "./exact-number.ts"

/**
 * What of numbers is kept: their `text`, so that 1.50 stays 1.50, or their `value`, so that 1.50 becomes 1.5 and only what no
 * number of JavaScript holds is kept as text. A fraction of up to 20 digits is its nearest number then, unless that could be whole.
 */
export type KeptNumbers = "text" | "value"

/** A number of which not even the size can be kept: it would become infinite, or 0. */
export interface LostNumber {
  readonly text: string
  /** Where it begins in the JSON text. */
  readonly at: number
}

/** The value of JSON text, or the first number that can't be kept. */
export type ExactJson =
  | { readonly value: unknown; readonly hasExact: boolean; readonly lost: null }
  | { readonly value: null; readonly hasExact: false; readonly lost: LostNumber }

/** Characters of private use, of which one begins the texts that stand for numbers while the rest is parsed. */
const MARKS = ["\ue000", "\ue001", "\ue002"]
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const FRACTION = /^-?[0-9]{1,11}\.(?!0000|9999)[0-9]{4,}$/
const LONG = 16
/** Long numbers of a text that are looked at one by one before all are. */
const MANY = 8
const QUOTE = 34
const PLUS = 43
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const UPPER_E = 69
const LOWER_E = 101
const BLANKS = new Set(" \t\r\n")

/**
 * Parses JSON, and keeps the numbers that would change as {@link ExactNumber}. Each is replaced by a text with a mark, and put back
 * into what `JSON.parse` gives: a reviver, which is called with every value, takes several times as long.
 * @throws `SyntaxError` where the text is not JSON
 */
export function parseExactJson(text: string, kept: KeptNumbers = "text"): ExactJson {
  const mark = MARKS.find((one) => !occurs(one, text))
  if (mark === undefined) return parseSlowly(text, kept)
  const { marked, lost } = markNumbers(text, mark, kept)
  if (marked === text) {
    const value = JSON.parse(text) as unknown
    return lost === null ? { value, hasExact: false, lost } : { value: null, hasExact: false, lost }
  }
  return { value: unmark(JSON.parse(marked), mark), hasExact: true, lost: null }
}

/**
 * Whether `JSON.stringify` writes JSON as it was read, but for blanks. Then no number has changed: many fractions of 17 digits are looked at in
 * a part of the time that it takes one by one.
 */
function isWrittenAgain(text: string): boolean {
  try {
    const written = JSON.stringify(JSON.parse(text))
    if (written === text) return true
    if (written.length >= text.length) return false
    return written.replaceAll(" ", "") === text.replaceAll(" ", "")
  } catch (error) {
    // It is nested deeper than can be written.
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Whether a character is in a JSON text, as it is or escaped. */
function occurs(character: string, text: string): boolean {
  const hex = character.charCodeAt(0).toString(16)
  return text.includes(character) || text.includes(`\\u${hex}`) || text.includes(`\\u${hex.toUpperCase()}`)
}

interface Marked {
  readonly marked: string
  readonly lost: LostNumber | null
}

function markNumbers(text: string, mark: string, kept: KeptNumbers): Marked {
  let marked = ""
  let from = 0
  let unchanged = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at + 1)
      continue
    }
    if (code > NINE || (code < ZERO && code !== MINUS)) continue
    const start = at
    at = endOfNumber(text, start) - 1
    // A digit; most numbers of rows are short.
    if (at === start && code !== MINUS) continue
    const token = text.slice(start, at + 1)
    const change = changeOf(token, kept)
    if (change === "none") {
      if (token.length >= LONG && ++unchanged === MANY && from === 0 && isWrittenAgain(text)) break
      continue
    }
    if (isKey(text, at + 1)) continue
    if (change === "lost") return { marked: text, lost: { text: token, at: start } }
    marked += `${text.slice(from, start)}"${mark}${token}"`
    from = at + 1
  }
  return { marked: from === 0 ? text : marked + text.slice(from), lost: null }
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    const isOfNumber =
      (code >= ZERO && code <= NINE) ||
      code === POINT ||
      code === MINUS ||
      code === PLUS ||
      code === UPPER_E ||
      code === LOWER_E
    if (!isOfNumber) break
  }
  return at
}

function changeOf(token: string, kept: KeptNumbers): "none" | "kept" | "lost" {
  const number = Number(token)
  const written = String(number)
  if (written === token || !NUMBER.test(token)) return "none"
  if (!Number.isFinite(number)) return "lost"
  if (number === 0 && compareDecimals(token, "0") !== 0) return "lost"
  if (kept === "value" && (isNearEnough(token) || compareDecimals(token, written) === 0)) return "none"
  return "kept"
}

/** A fraction of up to 20 digits that stays one if it is rounded. */
function isNearEnough(token: string): boolean {
  return token.length <= (token.startsWith("-") ? 22 : 21) && FRACTION.test(token)
}

/** A number is no key; a text in its place would be one. */
function isKey(text: string, behind: number): boolean {
  let at = behind
  while (BLANKS.has(text.charAt(at))) at++
  return text.charAt(at) === ":"
}

/** Where the quote is that ends a string; the end of the text where none does. */
function endOfString(text: string, start: number): number {
  for (let from = start; ;) {
    const quote = text.indexOf('"', from)
    if (quote === -1) return text.length
    let slashes = 0
    while (text.charAt(quote - slashes - 1) === "\\") slashes++
    if (slashes % 2 === 0) return quote
    from = quote + 1
  }
}

/** Puts numbers in the place of marked texts. A loop, since a text can be nested deeper than the stack. */
function unmark(root: unknown, mark: string): unknown {
  const top = { root }
  const waiting: object[] = [top]
  for (let holder = waiting.pop(); holder !== undefined; holder = waiting.pop()) {
    for (const [key, part] of Object.entries(holder) as [string, unknown][]) {
      if (typeof part === "object" && part !== null) waiting.push(part)
      else if (typeof part === "string" && part.startsWith(mark)) {
        // `__proto__` can't be set by assignment.
        const value = exactNumber(part.slice(mark.length))
        if (key !== "__proto__") (holder as Record<string, unknown>)[key] = value
        else Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true })
      }
    }
  }
  return top.root
}

/** For a text that holds every mark. */
function parseSlowly(text: string, kept: KeptNumbers): ExactJson {
  let lost: string | undefined
  let hasExact = false
  const value = JSON.parse(text, (_key, part: unknown, context?: { readonly source?: string }) => {
    const source = context?.source
    if (typeof part !== "number" || source === undefined) return part
    const change = changeOf(source, kept)
    if (change === "lost") lost ??= source
    if (change !== "kept") return part
    hasExact = true
    return exactNumber(source)
  }) as unknown
  return lost === undefined
    ? { value, hasExact, lost: null }
    : { value: null, hasExact: false, lost: { text: lost, at: text.indexOf(lost) } }
}
