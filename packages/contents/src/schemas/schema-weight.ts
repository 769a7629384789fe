import type { DatasetMetadata } from "@assay/schemas"
import { isJsonObject, type JsonSchema } from "./json-schema.ts"

/** Keywords that do not constrain a value. */
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
/** Keywords that take the same time for every value of a given size. */
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
/** Keywords that take time proportional to the number of their parts. */
const LISTS: ReadonlySet<string> = new Set(["const", "enum", "required"])
const MAX_DEPTH = 50
const MAX_PARTS = 10_000

/**
 * Returns the maximum number of checks that the schemas of a dataset make for one value. Returns Infinity if only
 * compilation could show it: in schemas with references, combinations or patterns, several parts may check the same
 * value.
 */
export function schemaWeight({ schema, schema_defs = {}, schemas_by_path = {} }: DatasetMetadata): number {
  const all = [schema, ...Object.values(schema_defs), ...Object.values(schemas_by_path)]
  // A string is a name in `schema_defs`.
  return Math.max(1, ...all.map((one) => (isJsonObject(one) ? weightOf(one, 0) : 1)))
}

/** Returns the weight of the heaviest part, because each value is checked by at most one part. */
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

/**
 * Returns the schemas for parts of a value, of which each part has at most one. Returns undefined for any other
 * keyword.
 */
function partsOf(keyword: string, value: unknown): readonly unknown[] | undefined {
  if (keyword === "items" || keyword === "additionalProperties") return [value]
  return keyword === "properties" && isJsonObject(value) && !Object.hasOwn(value, "__proto__")
    ? Object.values(value)
    : undefined
}

/** Counts the values in `value`, including itself. It stops at `limit`. */
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
