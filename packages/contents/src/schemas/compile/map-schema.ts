import { isJsonObject, type JsonSchema } from "../json-schema.ts"

/** Keywords that hold values, not schemas. */
const VALUES = new Set(["const", "enum", "default", "examples", "example"])
/** Keywords that hold schemas under names chosen by the user. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"])
const MAX_DEPTH = 200

/**
 * Copies `schema` and applies `change` to it and to each schema inside, from the outside in. The content of unknown
 * keywords counts as a schema too, because a `$ref` may refer to it.
 * @throws `RangeError` if the schema is nested too deeply
 */
export function mapSchema(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema): JsonSchema {
  return mapObject(schema, change, 0)
}

function mapObject(schema: JsonSchema, change: (schema: JsonSchema) => JsonSchema, depth: number): JsonSchema {
  if (depth > MAX_DEPTH) throw new RangeError(`is nested more than ${MAX_DEPTH} levels deep`)
  return mapEntries(change(schema), (key, value) => {
    if (VALUES.has(key)) return value
    if (NAMED.has(key) && isJsonObject(value)) {
      return mapEntries(value, (_name, part) => mapPart(part, change, depth + 1))
    }
    return mapPart(value, change, depth + 1)
  })
}

function mapPart(value: unknown, change: (schema: JsonSchema) => JsonSchema, depth: number): unknown {
  if (Array.isArray(value)) return value.map((item) => (isJsonObject(item) ? mapObject(item, change, depth) : item))
  return isJsonObject(value) ? mapObject(value, change, depth) : value
}

function mapEntries(schema: JsonSchema, change: (key: string, value: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, change(key, value)]))
}
