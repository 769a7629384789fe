import { isExactNumber, isWholeDecimal } from "@assay/schemas/numbers"

/** A JSON Schema that is an object; `true` and `false` occur only within one. */
export type JsonSchema = Readonly<Record<string, unknown>>

export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

export const JSON_TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"] as const
export type JsonType = (typeof JSON_TYPES)[number]

/** The narrowest type of a value: a number without fraction is an integer. */
export function jsonTypeOf(value: unknown): JsonType {
  if (value === null) return "null"
  if (Array.isArray(value)) return "array"
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number"
  if (isExactNumber(value)) return isWholeDecimal(value.rawJSON) ? "integer" : "number"
  if (typeof value === "string" || typeof value === "boolean") return typeof value === "string" ? "string" : "boolean"
  return "object"
}
