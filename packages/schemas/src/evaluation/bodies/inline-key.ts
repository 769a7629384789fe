import { isKeyName } from "./body-fields.ts"
import type { BodyField } from "./map-fields.ts"

/** Shown instead of a key. */
export const HIDDEN_KEY = "******"

/** Returns whether the value of a field for keys is a key, and not an empty or a hidden one. */
export function isInlineKey(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value !== HIDDEN_KEY
}

/** Lists the keys that a field holds inline: its value, or the variables of a harness that are named like keys. */
export function inlineKeysOf({ kinds, value, reference }: BodyField): readonly string[] {
  if (kinds.includes("rows")) return []
  if (kinds.includes("harness")) return variablesWithKeys(value).map(([, key]) => key)
  return reference !== undefined && isInlineKey(value) ? [value] : []
}

/** Finds the variables in the `environment` of a harness that are named like keys. */
export function variablesWithKeys(harness: unknown): readonly (readonly [name: string, key: string])[] {
  const entries = Object.entries(objectIn(harness, "environment") ?? {})
  return entries.filter((entry): entry is [string, string] => isKeyName(entry[0]) && isInlineKey(entry[1]))
}

/** Returns a part of an object if it is an object itself. */
export function objectIn(value: unknown, name: string): object | undefined {
  const part: unknown = typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined
  return typeof part === "object" && part !== null ? part : undefined
}
