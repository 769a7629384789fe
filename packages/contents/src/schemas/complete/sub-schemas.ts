import type { Dialect } from "../compile/dialect.ts"
import { isJsonSchema, type JsonSchema } from "../json-schema.ts"

/** Keywords that hold a schema, a list of schemas, or schemas by name. */
const ONE = ["additionalProperties", "propertyNames", "items", "contains", "not", "if", "then", "else"]
const LISTS = ["allOf", "anyOf", "oneOf"]
const NAMED = ["properties", "patternProperties", "definitions", "dependencies"]
const OWN = {
  "2020-12": {
    one: ["unevaluatedProperties", "unevaluatedItems", "contentSchema"],
    lists: ["prefixItems"],
    named: ["$defs", "dependentSchemas"],
  },
  "draft-07": { one: ["additionalItems"], lists: ["items"], named: [] },
} as const

/** The schemas that are directly within `schema`, where its dialect has schemas. */
export function subSchemas(schema: JsonSchema, dialect: Dialect): readonly JsonSchema[] {
  const own = OWN[dialect]
  const found = [
    ...[...ONE, ...own.one].map((key) => schema[key]),
    ...[...LISTS, ...own.lists].flatMap((key) => (Array.isArray(schema[key]) ? (schema[key] as unknown[]) : [])),
    ...[...NAMED, ...own.named].flatMap((key) => (isJsonSchema(schema[key]) ? Object.values(schema[key]) : [])),
  ]
  return found.filter(isJsonSchema)
}
