/**
 * A JSON number whose text a JavaScript number would not keep, such as 12345678901234567890 or 1.50. `JSON.stringify` writes the text
 * as it was read. Only {@link exactNumber} creates one; no other data can look like it.
 */
export interface ExactNumber {
  readonly rawJSON: string
}

/** Functions of ECMAScript that are missing in the library types of the compiler. */
interface RawJson {
  readonly rawJSON: (text: string) => ExactNumber
  readonly isRawJSON: (value: unknown) => value is ExactNumber
}

const json = JSON as unknown as RawJson

/** Creates an exact number from its text, which has to be a valid JSON number. */
export function exactNumber(text: string): ExactNumber {
  return json.rawJSON(text)
}

/** Returns whether a value is an exact number. */
export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === "object" && value !== null && json.isRawJSON(value)
}

/** Returns the nearest JavaScript number of an exact number; any other value unchanged. */
export function nearestNumber(value: unknown): unknown {
  return isExactNumber(value) ? Number(value.rawJSON) : value
}

/** Returns the text of a number as it was read; undefined for any other value. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value)
  return isExactNumber(value) ? value.rawJSON : undefined
}

/** Returns a copy in which each exact number is replaced by the nearest JavaScript number; the value itself if it has none. */
export function nearestNumbers(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value
  if (isExactNumber(value)) return Number(value.rawJSON)
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value
    const copies = items.map(nearestNumbers)
    return copies.some((copy, at) => copy !== items[at]) ? copies : value
  }
  const entries = Object.entries(value)
  const copies = entries.map(([key, part]) => [key, nearestNumbers(part)] as const)
  // `fromEntries` also creates a key named `__proto__`.
  return copies.some(([, copy], at) => copy !== entries[at]?.[1]) ? Object.fromEntries(copies) : value
}
