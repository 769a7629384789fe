import { isJsonObject } from "@assay/json"

/** Returns the properties of a plain object, and none for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isJsonObject(value) ? value : {}
}

/** Returns the elements of a list, and none for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns a value of a row as text: empty for null, JSON for lists and objects. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value
  return value === null || value === undefined ? "" : (JSON.stringify(value) ?? "")
}
