/** An object with any fields, such as a JSON Schema. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
