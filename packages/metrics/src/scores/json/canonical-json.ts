import { AssayError } from "@assay/schemas"

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
  return Object.fromEntries(Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)))
}
