import type { Dialect } from "../compile/dialect.ts"
import type { JsonSchema } from "../json-schema.ts"
import { mapSchema } from "../compile/map-schema.ts"

/** Keywords whose meaning Ajv gets wrong in some schemas. */
const KEYWORDS = ["unevaluatedProperties", "unevaluatedItems", "$dynamicRef"]
/** Keywords beside a reference of draft-07 that say nothing of a value. */
const SILENT = new Set([
  "$ref",
  "$schema",
  "$comment",
  "title",
  "description",
  "default",
  "examples",
  "definitions",
  "$defs",
])

/** Keywords for the first items of a list, in 2020-12 and in draft-07. */
const FIRST_ITEMS = ["prefixItems", "items"]

/**
 * Returns whether a document uses what Ajv gets wrong: unevaluated properties and items, dynamic references, resources
 * within it, the name `__proto__`, `contains` beside schemas of the first items (an empty list passes when Ajv stops at the
 * first error), and in draft-07 keywords beside a reference.
 * @throws `RangeError` if it is nested too deep
 */
export function needsComplete(document: JsonSchema, dialect: Dialect): boolean {
  let isNeeded = JSON.stringify(document).includes("__proto__")
  let isRoot = true
  mapSchema(document, (schema) => {
    isNeeded ||= isBeyondAjv(schema, dialect) || (!isRoot && "$id" in schema)
    isRoot = false
    return schema
  })
  return isNeeded
}

function isBeyondAjv(schema: JsonSchema, dialect: Dialect): boolean {
  if ("contains" in schema && FIRST_ITEMS.some((key) => Array.isArray(schema[key]))) return true
  if (dialect === "2020-12") return KEYWORDS.some((key) => key in schema)
  return "$ref" in schema && Object.keys(schema).some((key) => !SILENT.has(key))
}
