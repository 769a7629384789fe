import { isExactNumber, nearestNumber } from "@assay/json"
import { isJsonObject, unescapePointerToken, type JsonSchema } from "../json-schema.ts"

/** Prefix of the identifiers of definitions. Such an address can't be fetched. */
const SCHEME = "assay:schema_defs/"
const POINTER = /^#\/schema_defs\/([^/]*)(.*)$/s

export interface LinkedSchema {
  readonly schema: JsonSchema
  /** Every definition that `schema` reaches, by name. */
  readonly definitions: ReadonlyMap<string, JsonSchema>
}

/**
 * Links `schema` to the definitions that it reaches by `#/schema_defs/<name>`. Each definition stays a document of its
 * own: `#/$defs/x` in a definition refers to its own `$defs`.
 * @throws `RangeError` if a schema is nested too deeply; `Error` that names a missing definition
 */
export function linkDefinitions(schema: JsonSchema, all: Readonly<Record<string, JsonSchema>>): LinkedSchema {
  const definitions = new Map<string, JsonSchema>()
  const waiting: string[] = []
  const link = (given: JsonSchema): JsonSchema => {
    const part = roundCounts(given)
    const [, encoded, rest = ""] = POINTER.exec(typeof part["$ref"] === "string" ? part["$ref"] : "") ?? []
    if (encoded === undefined) return part
    const name = unescapePointerToken(decodeURIComponent(encoded))
    if (!Object.hasOwn(all, name)) throw new Error(`refers to '${name}', which is not in schema_defs`)
    waiting.push(name)
    return { ...part, $ref: `${definitionId(name)}${rest === "" ? "" : `#${rest}`}` }
  }
  const linked = mapSchema(schema, link)
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    const definition = all[name]
    if (definition === undefined || definitions.has(name)) continue
    definitions.set(name, {})
    definitions.set(name, mapSchema(definition, link))
  }
  return { schema: linked, definitions }
}

/** Keywords that compare numbers of rows with all of their digits. */
const COMPARING = new Set(["const", "enum", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])

/** Replaces exact numbers of other keywords, such as `maxLength`, by the nearest number. */
function roundCounts(schema: JsonSchema): JsonSchema {
  if (!Object.entries(schema).some(([key, value]) => isExactNumber(value) && !COMPARING.has(key))) return schema
  return mapEntries(schema, (key, value) => (COMPARING.has(key) ? value : nearestNumber(value)))
}

/** Returns the identifier of a linked definition. */
export function definitionId(name: string): string {
  return `${SCHEME}${encodeURIComponent(name)}`
}

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
