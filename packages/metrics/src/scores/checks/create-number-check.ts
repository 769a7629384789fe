import { compareDecimals, describeRange, isWithin, NUMBER_RANGES } from "@assay/json"
import { invalidRequest } from "@assay/schemas"

export interface NumberCheckOptions {
  /** The largest distance of two numbers. Required for `absolute difference`. */
  readonly epsilon?: number | undefined
  /** Default `exact`. */
  readonly numbers?: NumberReading
}

/** Returns 1 if the comparison is true and 0 if not. Returns NaN if one side has no number. */
export type NumberCheck = (left: string, right: string) => number

/** Compares two numbers that are given as text. */
type Comparison = (left: string, right: string) => boolean

/**
 * Creates a comparison of the last numbers in two texts, exact in all digits. Operators: `==` `equals`, `!=` `<>` `not equals`, `<` `lt` `less than`,
 * `<=` `lte` `less than or equal`, `>` `gt` `greater than`, `>=` `gte` `greater than or equal`, and `absolute difference`,
 * which is true up to `epsilon`.
 * @throws `invalid_request` for another operator, and for an epsilon that is missing or outside the range of margins
 */
export function createNumberCheck(operator: string, { epsilon, numbers }: NumberCheckOptions = {}): NumberCheck {
  const holds = operator === "absolute difference" ? within(epsilon) : comparison(operator)
  return (left, right) => {
    const own = lastNumber(left, numbers)
    const other = lastNumber(right, numbers)
    if (own === undefined || other === undefined) return Number.NaN
    return holds(own, other) ? 1 : 0
  }
}

function within(epsilon: number | undefined): Comparison {
  const { margin } = NUMBER_RANGES
  if (epsilon === undefined || !(epsilon >= margin.minimum && epsilon <= margin.maximum)) {
    throw invalidRequest(["check", "epsilon"], `is ${epsilon}; give ${describeRange(margin)}.`, "minimum", epsilon)
  }
  const distance = String(epsilon)
  return (left, right) => isWithin(left, right, distance)
}

function comparison(operator: string): Comparison {
  switch (operator.replace(/ or equals?(?: to)?$/, " or equal")) {
    case "==":
    case "equals":
      return (left, right) => compareDecimals(left, right) === 0
    case "!=":
    case "<>":
    case "not equals":
      return (left, right) => compareDecimals(left, right) !== 0
    case "<":
    case "lt":
    case "less than":
      return (left, right) => compareDecimals(left, right) < 0
    case "<=":
    case "lte":
    case "less than or equal":
      return (left, right) => compareDecimals(left, right) <= 0
    case ">":
    case "gt":
    case "greater than":
      return (left, right) => compareDecimals(left, right) > 0
    case ">=":
    case "gte":
    case "greater than or equal":
      return (left, right) => compareDecimals(left, right) >= 0
    default:
      throw invalidRequest(
        ["check", 1],
        `'${operator}' is not an operator for numbers; use ==, !=, <>, <, <=, >, >=, their words, or absolute difference.`,
        "enum",
        operator,
      )
  }
}

/**
 * How numbers are read. `exact` understands thousands separators and exponents, such as `1,234`, `1'234`, `1,00,000` and `1e5`. `compat` reads them
 * as other evaluators do: 234 and 5.
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
      : (withExponent(line, start, end) ?? grouped(line, start, end))
  return Number.isNaN(Number(found)) ? undefined : found
}

/** Returns the mantissa before an `e`, if the number after it is a whole number. */
function withExponent(line: string, start: number, end: number): string | undefined {
  const mark = "+-".includes(line.charAt(start - 1)) ? start - 2 : start - 1
  if (mark < 1 || !"eE".includes(line.charAt(mark)) || !isDigit(line, mark - 1)) return undefined
  if (line.slice(start, end).includes(".")) return undefined
  const from = runStart(line, mark)
  return signed(line, from, line.slice(from, end), "-−")
}

/** Characters between groups of digits: comma, apostrophes (Switzerland), and spaces at which no line breaks (French, SI). */
const SEPARATORS = ",'’\u00A0\u202F\u2009"

/**
 * Joins groups of digits with one separator: groups of three, or groups of two before the last three (`1,00,000`, India). The first group can be
 * shorter. Groups in other sizes are numbers of their own.
 */
function grouped(line: string, start: number, end: number): string {
  const last = line.slice(start, end)
  const first = THREE_DIGITS.test(last) ? firstGroup(line, start) : start
  const digits = line.slice(first, end)
  const separator = line.charAt(start - 1)
  return signed(line, first, first === start ? last : digits.replaceAll(separator, ""), "-−")
}

/** Returns where the groups before the last one begin, or `start` if they are not groups of one number. */
function firstGroup(line: string, start: number): number {
  const separator = line.charAt(start - 1)
  if (separator === "" || !SEPARATORS.includes(separator)) return start
  let first = start
  let size = 0
  while (line.charAt(first - 1) === separator) {
    const before = runStart(line, first - 1)
    const length = first - 1 - before
    const isFirst = line.charAt(before - 1) !== separator
    if (size === 0) size = isFirst ? 3 : length
    const fits = size === 3 || (size === 2 && separator === ",")
    const isGroup = isFirst ? length >= 1 && length <= size : length === size
    if (!fits || !isGroup || line.slice(before, first - 1).includes(".")) return start
    first = before
  }
  return size === 2 && line.charAt(first - 1) === "[" ? start : first
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
