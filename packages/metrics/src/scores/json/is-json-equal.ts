import { AssayError } from "@assay/schemas"
import { canonicalDecimal, compareDecimals, exactNumber, type ExactNumber, isExactNumber } from "@assay/json"

/**
 * Returns whether two values are the same JSON. The order of keys does not matter, the order of elements does, and `1.0` equals `1`.
 * @throws `invalid_request` for a value that is nested too deeply to be compared
 */
export function isJsonEqual(left: unknown, right: unknown): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right)
}

/**
 * Returns JSON text that is the same for equal values: with sorted keys and without blanks.
 * @throws `invalid_request` for a value that is nested too deeply to be written
 */
export function canonicalJson(value: unknown): string {
  try {
    return JSON.stringify(value, sortKeys) ?? "null"
  } catch (error) {
    throw new AssayError("invalid_request", "The JSON value is nested too deeply to be compared; flatten it.", {
      cause: error,
    })
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  if (isExactNumber(value)) return sameNumber(value)
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}

/** Returns the same value for 1.0 and 1. A number that JavaScript can't represent differs from the nearest one that it can. */
function sameNumber({ rawJSON: text }: ExactNumber): unknown {
  const nearest = Number(text)
  return compareDecimals(text, String(nearest)) === 0 ? nearest : exactNumber(canonicalDecimal(text))
}
