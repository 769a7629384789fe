import {
  AssayError,
  canonicalDecimal,
  compareDecimals,
  exactNumber,
  type ExactNumber,
  isExactNumber,
} from "@assay/schemas"

/**
 * Whether two values are the same JSON: the order of keys does not count, that of elements does, `1.0` is `1`.
 * @throws `invalid_request` where one is nested more deeply than can be compared
 */
export function isJsonEqual(left: unknown, right: unknown): boolean {
  return left === right || canonicalJson(left) === canonicalJson(right)
}

/**
 * JSON text that is the same for equal values: keys in order, no blanks.
 * @throws `invalid_request` where the value is nested more deeply than can be written
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

/** 1.0 is 1. What no number of JavaScript holds is another number than the nearest one. */
function sameNumber({ rawJSON: text }: ExactNumber): unknown {
  const nearest = Number(text)
  return compareDecimals(text, String(nearest)) === 0 ? nearest : exactNumber(canonicalDecimal(text))
}
