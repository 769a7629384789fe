/** A JSON Schema that is an object; `true` and `false` occur only within one. */
export type JsonSchema = Readonly<Record<string, unknown>>

export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
