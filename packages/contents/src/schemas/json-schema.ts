import { isExactNumber, isWholeDecimal, type JsonObject } from "@assay/json"

export { isJsonObject, type JsonObject } from "@assay/json"

/** A JSON Schema that is an object. The schemas `true` and `false` occur only inside one. */
export type JsonSchema = JsonObject

export const JSON_TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const
export type JsonType = (typeof JSON_TYPES)[number]

/** Returns the narrowest type of a value. A number without a fraction is an integer. */
export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number"
  if (isExactNumber(value)) return isWholeDecimal(value.rawJSON) ? "integer" : "number"
  if (typeof value === "string" || typeof value === "boolean") return typeof value === "string" ? "string" : "boolean"
  return "object"
}

/** Counts code points, which is the length of a string in JSON Schema. */
export function countCharacters(text: string): number {
  if (!/[\ud800-\udbff]/.test(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}

/** Escapes a property name for use as one token of a JSON pointer (RFC 6901). */
export function escapePointerToken(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1")
}

/** Returns the property name that a token of a JSON pointer means. */
export function unescapePointerToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~")
}
