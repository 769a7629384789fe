import { isJsonObject, type JsonObject } from "./is-object.ts"

/** Returns the properties of a plain object, and none for any other value. */
export function fieldsOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

/** Returns the elements of a list, and none for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
