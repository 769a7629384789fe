/** A decimal number: 0.`digits` times 10 to the power of `exponent`. Digits neither begin nor end with 0; 0 has none. */
interface Decimal {
  readonly sign: -1 | 1
  readonly digits: string
  readonly exponent: number
}

const NUMBER = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/
/** Powers of ten beyond this have the same order as this one: no text that is read has as many digits. */
const FARTHEST = 2 ** 40

/** Places of numbers that are divided or subtracted: the time that takes grows faster than they do. */
const MAX_PLACES = 10_000

/** Compares two numbers by their texts: exact for every number of digits, and linear in them. -1, 0 or 1. */
export function compareDecimals(left: string, right: string): -1 | 0 | 1 {
  const [a, b] = [decimalOf(left), decimalOf(right)]
  const [signA, signB] = [signOf(a), signOf(b)]
  if (signA !== signB) return signA < signB ? -1 : 1
  const order = compareSizes(a, b)
  return order === 0 || signA > 0 ? order : order === 1 ? -1 : 1
}

/** Whether a number, given as text, has no fraction. */
export function isWholeDecimal(text: string): boolean {
  const { digits, exponent } = decimalOf(text)
  return digits.length <= exponent || digits === ""
}

/** Returns the same text for the same number, whatever its notation; as JSON writes it if it is short. */
export function canonicalDecimal(text: string): string {
  const { sign, digits, exponent } = decimalOf(text)
  if (digits === "") return "0"
  return `${sign < 0 ? "-" : ""}0.${digits}e${exponent}`
}

/**
 * Whether one number, given as text, is a whole multiple of another. Sizes of more than 10,000 digits, which no number of JSON that is kept has, are
 * taken for multiples.
 */
export function isDecimalMultiple(text: string, of: string): boolean {
  const [a, b] = [decimalOf(text), decimalOf(of)]
  if (a.digits === "" || b.digits === "") return a.digits === ""
  const places = placesOf(b)
  // A multiple has no more places behind the point.
  if (placesOf(a) > places) return false
  if ([a, b].some(({ exponent }) => exponent + places > MAX_PLACES)) return true
  return scaled(a, places) % scaled(b, places) === 0n
}

/** Whether two numbers are at most `distance` apart, all given as texts. Those of more than 10,000 places are taken as numbers. */
export function isWithin(left: string, right: string, distance: string): boolean {
  const all = [left, right, distance].map(decimalOf)
  const places = Math.max(...all.map(placesOf))
  if (all.some(({ exponent }) => exponent + places > MAX_PLACES)) {
    return Math.abs(Number(left) - Number(right)) <= Number(distance)
  }
  const [a = 0n, b = 0n, most = 0n] = all.map((one) => (one.sign < 0 ? -scaled(one, places) : scaled(one, places)))
  return a < b ? b - a <= most : a - b <= most
}

/** How many digits stand behind the point. */
function placesOf({ digits, exponent }: Decimal): number {
  return Math.max(0, digits.length - exponent)
}

/** The digits as a whole number, with so many places behind the point. */
function scaled({ digits, exponent }: Decimal, places: number): bigint {
  return digits === "" ? 0n : BigInt(digits + "0".repeat(exponent + places - digits.length))
}

function decimalOf(text: string): Decimal {
  const [, sign = "", whole = "", fraction = "", power = "0"] = NUMBER.exec(text) ?? []
  const all = `${whole}${fraction}`
  let start = 0
  while (all.charCodeAt(start) === 48) start++
  let end = all.length
  while (end > start && all.charCodeAt(end - 1) === 48) end--
  const shift = Math.max(-FARTHEST, Math.min(FARTHEST, Number(power)))
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
