/**
 * How numbers are read. `exact` understands thousands separators, exponents and decimal commas, such as `1,234`, `1'234`, `1,00,000`, `1e5` and
 * `3,5`. `compat` reads the last digits, as other evaluators do: 234, 234, 0, 5 and 5.
 */
export type NumberReading = "exact" | "compat"

const THREE_DIGITS = /^\d{3}(?:\.\d+)?$/

/**
 * Returns the last number in a text with all its digits, at most one decimal point, and a sign directly before them. Returns
 * undefined if there is none, or if it has several points. Digits of every script count. Time is linear in the text.
 */
export function lastNumber(text: string, reading: NumberReading = "exact"): string | undefined {
  const line = asciiDigits(text)
  let end = line.length
  while (end > 0 && !isDigit(line, end - 1)) end -= 1
  if (end === 0) return undefined
  const start = runStart(line, end)
  const found =
    reading === "compat"
      ? signed(line, start, line.slice(start, end), "-")
      : (withExponent(line, start, end) ?? decimal(line, start, end))
  return Number.isNaN(Number(found)) ? undefined : found
}

/** Returns a number with an exponent: a mantissa before an `e`, and a whole number after it. */
function withExponent(line: string, start: number, end: number): string | undefined {
  const mark = "+-".includes(line.charAt(start - 1)) ? start - 2 : start - 1
  if (mark < 1 || !isExponentMark(line, mark)) return undefined
  if (line.slice(start, end).includes(".")) return undefined
  return `${decimal(line, runStart(line, mark), mark)}${line.slice(mark, end)}`
}

function isExponentMark(line: string, at: number): boolean {
  return /[eE]/.test(line.charAt(at)) && isDigit(line, at - 1)
}

/** Characters between groups of digits: comma, apostrophes (Switzerland), and spaces at which no line breaks (French, SI). */
const SEPARATORS = ",'’\u00A0\u202F\u2009"

/**
 * Returns the number that ends with a run of digits and points. A separator before the run joins groups of thousands if they fit. Any other
 * comma is a decimal comma if it is the only one of the number (`3,5`, `1.234,5`), because no other reading is a number. Commas of a list
 * separate numbers: several that do not fit (`1,2,345`), and all in square brackets (`[3,5]`).
 */
function decimal(line: string, start: number, end: number): string {
  const last = line.slice(start, end)
  const isComma = line.charAt(start - 1) === ","
  const first = firstGroup(line, start, end)
  if (first !== start && !(isComma && isListed(line, first, end))) {
    return withSign(line, first, line.slice(first, end).replaceAll(line.charAt(start - 1), ""))
  }
  const whole = isComma && !last.includes(".") ? wholeBefore(line, start - 1) : undefined
  if (whole === undefined || isListed(line, whole.first, end)) return withSign(line, start, last)
  return withSign(line, whole.first, `${whole.digits}.${last}`)
}

function isListed(line: string, first: number, end: number): boolean {
  return /\[[+−-]?$/.test(line.slice(Math.max(0, first - 2), first)) || line.charAt(end) === "]"
}

interface WholePart {
  /** Where it begins. */
  readonly first: number
  /** Without separators. */
  readonly digits: string
}

/** Points between groups of thousands. */
const POINTED_GROUPS = /^[1-9]\d{0,2}(?:\.\d{3})+$/

/** Returns the whole number before a decimal comma; undefined if what is there is not one. */
function wholeBefore(line: string, end: number): WholePart | undefined {
  const start = runStart(line, end)
  const run = line.slice(start, end)
  const before = line.charAt(start - 1)
  if (run === "" || before === "," || isExponentMark(line, /[+-]/.test(before) ? start - 2 : start - 1))
    return undefined
  if (POINTED_GROUPS.test(run)) return { first: start, digits: run.replaceAll(".", "") }
  if (run.includes(".")) return undefined
  const first = firstGroup(line, start, end)
  return { first, digits: first === start ? run : line.slice(first, end).replaceAll(before, "") }
}

/**
 * Returns where the groups of thousands before the last one begin, or `start` if it is not the last group of a number. Groups have one separator and
 * three digits, or two before the last three (`1,00,000`, India). The first group can be shorter, and does not begin with 0.
 */
function firstGroup(line: string, start: number, end: number): number {
  const separator = line.charAt(start - 1)
  if (separator === "" || !SEPARATORS.includes(separator)) return start
  if (!THREE_DIGITS.test(line.slice(start, end))) return start
  let first = start
  let size = 0
  while (line.charAt(first - 1) === separator) {
    const before = runStart(line, first - 1)
    const length = first - 1 - before
    const isFirst = line.charAt(before - 1) !== separator
    if (size === 0) size = isFirst ? 3 : length
    const fits = size === 3 || (size === 2 && separator === ",")
    const isGroup = isFirst ? length >= 1 && length <= size && line.charAt(before) !== "0" : length === size
    if (!fits || !isGroup || line.slice(before, first - 1).includes(".")) return start
    first = before
  }
  return first
}

function runStart(line: string, end: number): number {
  let start = end
  while (start > 0 && (isDigit(line, start - 1) || line.charAt(start - 1) === ".")) start -= 1
  return start
}

function isDigit(line: string, at: number): boolean {
  const code = line.charCodeAt(at)
  return code >= 48 && code <= 57
}

function signed(line: string, start: number, value: string, minus: string): string {
  return start > 0 && minus.includes(line.charAt(start - 1)) ? `-${value}` : value
}

/** A letter or a digit before a hyphen, which is then not a sign. Scripts without spaces between words have none here. */
const JOINED = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d]$/u

/** Adds the sign of a number. The hyphens of `GPT-4` and `10-20` join two words. */
function withSign(line: string, start: number, value: string): string {
  const isJoined = JOINED.test(line.slice(Math.max(0, start - 3), Math.max(0, start - 1)))
  return isJoined ? value : signed(line, start, value, "-−")
}

const DIGIT_BEYOND_ASCII = /(?![0-9])\p{Nd}/u
const EACH_DIGIT_BEYOND_ASCII = /(?![0-9])\p{Nd}/gu

/** Returns the text with the decimal digits of all scripts written as 0 to 9. */
function asciiDigits(text: string): string {
  if (!DIGIT_BEYOND_ASCII.test(text)) return text
  return text.replace(EACH_DIGIT_BEYOND_ASCII, (digit) => String(digitValue(digit.codePointAt(0) ?? 0)))
}

/** Returns the value of a digit. Unicode lists decimal digits in blocks of ten from 0 to 9; some blocks adjoin. */
function digitValue(codePoint: number): number {
  let first = codePoint
  while (DIGIT_BEYOND_ASCII.test(String.fromCodePoint(first - 1))) first -= 1
  return (codePoint - first) % 10
}
