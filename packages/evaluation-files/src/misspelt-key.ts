import type { TSchema } from "@sinclair/typebox"
import { isObject } from "@assay/json"
import { misspeltName } from "@assay/schemas"

/** A key of a document that no schema has, and the key that is meant. */
export interface MisspeltKey {
  readonly path: readonly string[]
  readonly meant: string
}

/**
 * Finds the first key that is surely a misspelt one of its schema: the API keeps unknown keys, so that the value would be ignored without
 * a word. Parameters are left out, because the checks of a launch know which of them the job reads.
 */
export function findMisspeltKey(
  value: unknown,
  schema: TSchema,
  path: readonly string[] = [],
): MisspeltKey | undefined {
  if (!isObject(value)) return undefined
  const given = Object.entries(value)
  const properties: Readonly<Record<string, TSchema>> = schema["properties"] ?? {}
  const names = Object.keys(properties)
  const open = names.filter((name) => !Object.hasOwn(value, name))
  for (const [key] of given) {
    const meant = names.includes(key) ? undefined : misspeltName(key, open)
    if (meant !== undefined) return { path: [...path, key], meant }
  }
  for (const [key, inner] of given) {
    const of = properties[key] ?? recordSchema(schema)
    const found = of === undefined || key === "params" ? undefined : findMisspeltKey(inner, of, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the schema of the values of a record. */
function recordSchema({ patternProperties }: TSchema): TSchema | undefined {
  return Object.values<TSchema>(patternProperties ?? {})[0]
}
