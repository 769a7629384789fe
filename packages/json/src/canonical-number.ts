import { canonicalDecimal } from "./decimal.ts"
import { exactNumber, isExactNumber, type ExactNumber } from "./exact-number.ts"

/** Returns the JavaScript number that is exactly the number of a text; undefined if there is none. There is one zero. */
export function plainNumber(text: string): number | undefined {
  const value = Number(text)
  return canonicalDecimal(text) === canonicalDecimal(String(value)) ? value + 0 : undefined
}

/** Returns the one form of a number that texts such as 1.50, 15e-1 and 1.5 have in common. */
export function canonicalNumber(value: number | ExactNumber): number | ExactNumber {
  if (!isExactNumber(value)) return value + 0
  return plainNumber(value.rawJSON) ?? exactNumber(canonicalDecimal(value.rawJSON))
}
