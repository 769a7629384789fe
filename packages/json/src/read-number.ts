const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/
/** Longer texts are not numbers that a person wrote. */
const MAX_LENGTH = 100

/**
 * Reads a number as JSON writes it, in decimal. Returns undefined for any other text, such as `0x1`, `1_000`, ` 1` or `Infinity`, and for
 * a number that is too large for JavaScript. There is one zero: `-0` is 0.
 */
export function readNumber(text: string): number | undefined {
  if (text.length > MAX_LENGTH || !DECIMAL.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value + 0 : undefined
}

/** Reads a whole number in decimal digits, without a fraction or an exponent. Returns undefined for any other text, and beyond ±(2^53 − 1). */
export function readWholeNumber(text: string): number | undefined {
  const value = /^-?\d+$/.test(text) ? readNumber(text) : undefined
  return Number.isSafeInteger(value) ? value : undefined
}
