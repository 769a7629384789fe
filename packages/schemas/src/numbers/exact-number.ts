/**
 * A number of JSON whose text JavaScript's numbers don't keep, such as 12345678901234567890 or 1.50. `JSON.stringify` writes the text
 * as it was read. Data can't look like one: only {@link exactNumber} makes it.
 */
export interface ExactNumber {
  readonly rawJSON: string
}

/** What ECMAScript has for numbers as text, and the compiler's library does not. */
interface RawJson {
  readonly rawJSON: (text: string) => ExactNumber
  readonly isRawJSON: (value: unknown) => value is ExactNumber
}

const json = JSON as unknown as RawJson

/** Makes a number out of its text, which has to be one as JSON writes it. */
export function exactNumber(text: string): ExactNumber {
  return json.rawJSON(text)
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return typeof value === "object" && value !== null && json.isRawJSON(value)
}

/** Returns the number that is nearest to a number of a row; what is not one stays as it is. */
export function nearestNumber(value: unknown): unknown {
  return isExactNumber(value) ? Number(value.rawJSON) : value
}

/** Returns the text of a number as it was read; undefined for anything else. */
export function numberText(value: unknown): string | undefined {
  if (typeof value === "number") return String(value)
  return isExactNumber(value) ? value.rawJSON : undefined
}

/** Returns a copy with the nearest number in the place of each exact one; the value itself where it has none. */
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
  // Own keys whatever they are called, `__proto__` included.
  return copies.some(([, copy], at) => copy !== entries[at]?.[1]) ? Object.fromEntries(copies) : value
}
