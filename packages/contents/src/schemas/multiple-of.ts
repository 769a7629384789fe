import type { FuncKeywordDefinition } from "ajv"

/**
 * `multipleOf` on the decimal values that a schema and a row write. Ajv divides with rounding: it refuses 0.3 as a multiple
 * of 0.1, and 1e21 as a multiple of 1.
 */
export const exactMultipleOf: FuncKeywordDefinition = {
  keyword: "multipleOf",
  type: "number",
  schemaType: "number",
  compile: (limit: number) => (value: number) => isMultipleOf(value, limit),
  error: { message: ({ schema }) => `must be multiple of ${schema}` },
}

/** Returns whether `value` is a whole number of times `limit`, which is above 0. Exact for the decimals that the two print as. */
export function isMultipleOf(value: number, limit: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(limit)) return value % limit === 0
  if (!Number.isFinite(value) || !Number.isFinite(limit)) return false
  const [dividend, divisor] = [decimalOf(value), decimalOf(limit)]
  const scale = Math.min(dividend.exponent, divisor.exponent)
  return scaled(dividend, scale) % scaled(divisor, scale) === 0n
}

/** `digits` times ten to the power of `exponent`. */
interface Decimal {
  readonly digits: bigint
  readonly exponent: number
}

function decimalOf(value: number): Decimal {
  const [mantissa = "", power = "0"] = String(value).split("e")
  const [whole = "", fraction = ""] = mantissa.split(".")
  return { digits: BigInt(whole + fraction), exponent: Number(power) - fraction.length }
}

/** Exponents of numbers lie between -324 and 308, so that this has fewer than 700 digits. */
function scaled({ digits, exponent }: Decimal, scale: number): bigint {
  return digits * 10n ** BigInt(exponent - scale)
}
