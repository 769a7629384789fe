/** A decimal number: 0.`digits` × 10^`exponent`. Its digits neither begin nor end with 0. The number 0 has no digits. */
interface Decimal {
  readonly sign: -1 | 1
  readonly digits: string
  readonly exponent: number
}

const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/
/** Larger exponents are treated like this one, because no text has that many digits. */
const MAX_EXPONENT = 2 ** 40

/** Maximum decimal places of numbers that are divided or subtracted, which takes more than linear time. */
const MAX_DECIMALS = 10_000

/** Compares two numbers by their texts: -1, 0 or 1. Exact for any number of digits, in linear time. */
export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  const [a, b] = [decimalOf(left), decimalOf(right)]
  const [signA, signB] = [signOf(a), signOf(b)]
  if (signA !== signB) return signA < signB ? -1 : 1
  const order = compareSizes(a, b)
  return order === 0 || signA > 0 ? order : order === 1 ? -1 : 1
}

/** Returns whether a number, given as text, has no fraction. */
export function isWholeDecimal(text: string): boolean {
  const { digits, exponent } = decimalOf(text)
  return digits.length <= exponent || digits === ""
}

/** Returns the same text for the same number in any notation. */
export function canonicalDecimal(text: string): string {
  const { sign, digits, exponent } = decimalOf(text)
  if (digits === "") return "0"
  return `${sign < 0 ? "-" : ""}0.${digits}e${exponent}`
}

/**
 * Returns whether one number, given as text, is an integer multiple of another. Numbers of more than 10,000 digits, which kept numbers
 * of JSON never have, count as multiples.
 */
export function isDecimalMultiple(text: string, of: string): boolean {
  const [a, b] = [decimalOf(text), decimalOf(of)]
  if (a.digits === "" || b.digits === "") return a.digits === ""
  const decimals = decimalsOf(b)
  // A multiple has at most as many decimal places.
  if (decimalsOf(a) > decimals) return false
  if ([a, b].some(({ exponent }) => exponent + decimals > MAX_DECIMALS)) return true
  return scaled(a, decimals) % scaled(b, decimals) === 0n
}

/** Returns whether two numbers are at most `distance` apart, all given as texts. With more than 10,000 decimals, JavaScript numbers are compared. */
export function isWithin(left: string, right: string, distance: string): boolean {
  const all = [left, right, distance].map(decimalOf)
  const decimals = Math.max(...all.map(decimalsOf))
  if (all.some(({ exponent }) => exponent + decimals > MAX_DECIMALS)) {
    return Math.abs(Number(left) - Number(right)) <= Number(distance)
  }
  const [a = 0n, b = 0n, max = 0n] = all.map((one) => (one.sign < 0 ? -scaled(one, decimals) : scaled(one, decimals)))
  return a < b ? b - a <= max : a - b <= max
}

/** Returns the number of decimal places. */
function decimalsOf({ digits, exponent }: Decimal): number {
  return Math.max(0, digits.length - exponent)
}

/** Returns the number multiplied by 10^`decimals`, as an integer. */
function scaled({ digits, exponent }: Decimal, decimals: number): bigint {
  return digits === "" ? 0n : BigInt(digits + "0".repeat(exponent + decimals - digits.length))
}

function decimalOf(text: string): Decimal {
  const [, sign = "", whole = "", fraction = "", power = "0"] = NUMBER.exec(text) ?? []
  const all = `${whole}${fraction}`
  let start = 0
  while (all.charCodeAt(start) === 48) start++
  let end = all.length
  while (end > start && all.charCodeAt(end - 1) === 48) end--
  const shift = Math.max(-MAX_EXPONENT, Math.min(MAX_EXPONENT, Number(power)))
  return { sign: sign === "-" ? -1 : 1, digits: all.slice(start, end), exponent: whole.length - start + shift }
}

function signOf({ sign, digits }: Decimal): number {
  return digits === "" ? 0 : sign
}

function compareSizes(a: Decimal, b: Decimal): -1 | 0 | 1 {
  if (a.digits === "" && b.digits === "") return 0
  if (a.exponent !== b.exponent) return a.exponent < b.exponent ? -1 : 1
  return a.digits === b.digits ? 0 : a.digits < b.digits ? -1 : 1
}
