import type { DatasetMetadata } from "@assay/schemas"
import { isJsonObject, type JsonSchema } from "./json-schema.ts"

/** Keywords that say nothing of a value. */
const NOTES: ReadonlySet<string> = new Set([
  "$comment",
  "$schema",
  "default",
  "deprecated",
  "description",
  "examples",
  "format",
  "readOnly",
  "title",
  "writeOnly",
])
/** Keywords that take the same time for every value of a size. */
const PLAIN: ReadonlySet<string> = new Set([
  "exclusiveMaximum",
  "exclusiveMinimum",
  "maxItems",
  "maxLength",
  "maxProperties",
  "maximum",
  "minItems",
  "minLength",
  "minProperties",
  "minimum",
  "type",
])
/** Keywords that take as long as they have parts. */
const LISTS: ReadonlySet<string> = new Set(["const", "enum", "required"])
const MAX_DEPTH = 50
const MAX_PARTS = 10_000

/**
 * Returns how many checks the schemas of a dataset can make of one value. Infinity if that can't be told without compiling
 * them: in schemas that refer to others, combine others, or have patterns, several parts may look at the same value.
 */
export function schemaWeight({ schema, schema_defs = {}, schemas_by_path = {} }: DatasetMetadata): number {
  const all = [schema, ...Object.values(schema_defs), ...Object.values(schemas_by_path)]
  // A string is a name in `schema_defs`.
  return Math.max(1, ...all.map((one) => (isJsonObject(one) ? weightOf(one, 0) : 1)))
}

/** The weight of the heaviest part: no value is looked at by more than one of them. */
function weightOf(schema: JsonSchema, depth: number): number {
  if (depth > MAX_DEPTH) return Infinity
  let own = 1
  let heaviest = 0
  for (const [keyword, value] of Object.entries(schema)) {
    if (NOTES.has(keyword)) continue
    if (PLAIN.has(keyword)) own++
    else if (LISTS.has(keyword)) own += countValues(value, MAX_PARTS)
    else {
      const parts = partsOf(keyword, value)
      if (parts === undefined) return Infinity
      own += parts.length
      for (const part of parts) {
        if (isJsonObject(part)) heaviest = Math.max(heaviest, weightOf(part, depth + 1))
        else if (typeof part !== "boolean") return Infinity
      }
    }
  }
  return Math.max(own, heaviest)
}

/** The schemas of parts of a value, each of which belongs to one of them; undefined for any other keyword. */
function partsOf(keyword: string, value: unknown): readonly unknown[] | undefined {
  if (keyword === "items" || keyword === "additionalProperties") return [value]
  return keyword === "properties" && isJsonObject(value) && !Object.hasOwn(value, "__proto__")
    ? Object.values(value)
    : undefined
}

/** How many values are in `value`, itself included; at most `limit`, where it stops. */
export function countValues(value: unknown, limit: number): number {
  const waiting = [value]
  let count = 0
  while (waiting.length > 0 && count < limit) {
    const next = waiting.pop()
    count++
    if (typeof next !== "object" || next === null) continue
    for (const part of Object.values(next)) {
      waiting.push(part)
      if (waiting.length >= limit) return limit
    }
  }
  return count
}
