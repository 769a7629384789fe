import { findJsonExcess } from "@assay/json"

/** Characters of a text of a trace that is read as JSON. */
const MAX_TEXT = 64 * 1024 * 1024
const LIMITS = { depth: 64, parts: 1_000_000, values: 2_000_000, keys: 20_000 }

/** Returns the value of a text that is a JSON object or list, and undefined for any other text. */
export function embeddedJson(text: string): unknown {
  if (!/^\s*[{[]/.test(text) || text.length > MAX_TEXT || findJsonExcess(text, LIMITS) !== undefined) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Returns a value, or the value of a text that is a JSON object or list. */
export function unwrapJson(value: unknown): unknown {
  return typeof value === "string" ? (embeddedJson(value) ?? value) : value
}

/** Returns a text as it is, and any other value as JSON. Null and undefined are empty. */
export function textOfValue(value: unknown): string {
  return typeof value === "string" ? value : value === undefined || value === null ? "" : JSON.stringify(value)
}
