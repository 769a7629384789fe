const POINT = 46
const ZERO = 48
const NINE = 57
/** The powers of ten that JavaScript numbers represent exactly. */
const TENS = Array.from({ length: 23 }, (_, power) => 10 ** power)
/** Splits a number into halves whose products are exact (Veltkamp). */
const SPLITTER = 2 ** 27 + 1
/** With {@link BELOW_ONE}, computes the highest power of two in a number (Rump, Zimmermann, Boldo and Melquiond 2009). */
const TO_HIGHEST_BIT = 2 ** 52 + 1
const BELOW_ONE = 1 - 2 ** -53
const HALF_UNIT = 2 ** -53
/** A factor that leaves room for the error of a few additions. */
const NEARLY = 0.999

/**
 * Returns whether JavaScript certainly writes a fraction of 16 or 17 digits as in `bytes` from `start` to `end`, without a sign. Uses
 * arithmetic that is faster than writing the number, and returns false if that does not prove it.
 *
 * JavaScript writes the shortest digits that are read as the same number, and of several such texts the nearest. So the number is
 * computed from all digits. Neither of the two nearest texts with one digit less may be read as it, and it may be at most half a unit
 * of the last digit away.
 */
export function isShortestFraction(bytes: Uint8Array, start: number, end: number): boolean {
  let digits = 0
  let head = 0
  let decimals = 0
  for (let at = start; at < end - 1; at++) {
    const code = bytes[at] as number
    if (code === POINT) {
      if (decimals > 0) return false
      decimals = end - 1 - at
      continue
    }
    if (code < ZERO || code > NINE) return false
    head = 10 * head + (code - ZERO)
    if (head > 0) digits++
  }
  const last = (bytes[end - 1] as number) - ZERO
  // JavaScript never writes a last digit of 0, or more than 17 digits.
  if (decimals === 0 || decimals > 22 || last <= 0 || last > 9 || digits > 16) return false
  if (!Number.isSafeInteger(head)) return false
  const unit = TENS[decimals] ?? 0
  let value = (10 * head + last) / unit
  let away = distance(head, last, value, unit)
  if (!isNearest(value, away, unit)) {
    value += away / unit
    away = distance(head, last, value, unit)
    if (!isNearest(value, away, unit)) return false
  }
  const shorter = unit / 10
  return Math.abs(away) < NEARLY / 2 && value >= 1e-6 && head / shorter !== value && (head + 1) / shorter !== value
}

/** Returns whether no other number is nearer to a text that is `away` from `value`, in units of its last digit. */
function isNearest(value: number, away: number, unit: number): boolean {
  const bits = TO_HIGHEST_BIT * value
  return Math.abs(away) < NEARLY * HALF_UNIT * (bits - BELOW_ONE * bits) * unit
}

/** Returns the distance of the integer with the digits of `head` and `last` from `value` × `unit`. Exact, except for the last addition. */
function distance(head: number, last: number, value: number, unit: number): number {
  const digits = 10 * head
  const product = value * unit
  return digits - product + (errorOf(head, 10, digits) - errorOf(value, unit, product)) + last
}

/** Returns the rounding error of a product (Dekker). */
function errorOf(left: number, right: number, product: number): number {
  const [a, b] = [SPLITTER * left, SPLITTER * right]
  const [leftHigh, rightHigh] = [a - (a - left), b - (b - right)]
  const [leftLow, rightLow] = [left - leftHigh, right - rightHigh]
  return leftLow * rightLow - (product - leftHigh * rightHigh - leftLow * rightHigh - leftHigh * rightLow)
}
