import { isExactNumber } from "./exact-number.ts"

/** An object with any fields, such as a JSON Schema. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Returns whether a value is an object and not an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Returns whether a value of `parseExactJson` is an object of JSON. An exact number, which is also an object, is not. */
export function isJsonObject(value: unknown): value is JsonObject {
  return isObject(value) && !isExactNumber(value)
}
