import type { DatasetMetadata } from "@assay/schemas"
import { createSchemaChooser } from "./choose-schema.ts"
import {
  isJsonObject,
  JSON_TYPES,
  jsonTypeOf,
  unescapePointerToken,
  type JsonSchema,
  type JsonType,
} from "./json-schema.ts"

/** Returns the types of CSV fields that the schema for `path` allows. Nothing is compiled. */
export function columnsOfPath(metadata: DatasetMetadata | undefined, path: string): ColumnTypes {
  const chosen = metadata === undefined ? undefined : createSchemaChooser(metadata)(path)
  return chosen === undefined ? anyColumns : columnTypesOf(chosen.schema, metadata?.schema_defs ?? {})
}

export type TypeSet = ReadonlySet<JsonType>

/** Returns the types that the texts of a column may be converted to. */
export type ColumnTypes = (column: string) => TypeSet

const ALL: TypeSet = new Set(JSON_TYPES)
const MAX_DEPTH = 50
/** Maximum number of schemas that are examined for all columns together. Columns after that allow every type. */
const MAX_STEPS = 1_000_000

/** Allows every type for every column, so that all text stays text. */
export const anyColumns: ColumnTypes = () => ALL

/**
 * Returns the types that `schema` allows for each column: those of its property, through `$ref`, `allOf`, `anyOf` and
 * `oneOf`. Other keywords that constrain types (`if`, `not`, patterns of names) are ignored and allow every type.
 * Schemas come from users, so the time is linear in the schema for each column and bounded over all columns.
 */
export function columnTypesOf(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): ColumnTypes {
  const known = new Map<string, TypeSet>()
  const steps = { left: MAX_STEPS }
  return (column) => {
    const found = known.get(column)
    if (found !== undefined) return found
    const walk: Walk = { definitions, steps, properties: new Map(), values: new Map() }
    const types = propertyTypes({ schema, root: schema, depth: 0, walk }, column)
    known.set(column, types)
    return types
  }
}

/** State shared by the sites of one column. */
interface Walk {
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly steps: { left: number }
  /** Known results for schemas of rows and schemas of values. A schema that refers back to itself adds nothing. */
  readonly properties: Map<JsonSchema, TypeSet>
  readonly values: Map<JsonSchema, TypeSet>
}

/** A schema, with the document that its references are relative to. */
interface Site {
  readonly schema: unknown
  readonly root: JsonSchema
  readonly depth: number
  readonly walk: Walk
}

/** Returns the types that the schema of a row allows for its property. */
function propertyTypes(site: Site, column: string): TypeSet {
  const { depth, walk } = site
  return visited(site, walk.properties, (schema) => {
    const { properties } = schema
    const own = isJsonObject(properties) && Object.hasOwn(properties, column) ? properties[column] : undefined
    return intersect([
      valueTypes({ ...site, schema: own, depth: depth + 1 }),
      ...combined(site, schema, (part) => propertyTypes(part, column)),
    ])
  })
}

/** Returns the types that the schema of a value allows. */
function valueTypes(site: Site): TypeSet {
  return visited(site, site.walk.values, (schema) => {
    const { type, enum: values } = schema
    const given = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined
    return intersect([
      given === undefined ? ALL : new Set(JSON_TYPES.filter((one) => given.includes(one))),
      Array.isArray(values) ? new Set(values.map(jsonTypeOf)) : ALL,
      "const" in schema ? new Set([jsonTypeOf(schema["const"])]) : ALL,
      ...combined(site, schema, valueTypes),
    ])
  })
}

/** Returns the result of `look` for the schema of a site. Each schema is examined once. */
function visited(
  { schema, depth, walk }: Site,
  known: Map<JsonSchema, TypeSet>,
  look: (schema: JsonSchema) => TypeSet,
): TypeSet {
  if (!isJsonObject(schema) || depth > MAX_DEPTH || walk.steps.left <= 0) return ALL
  const found = known.get(schema)
  if (found !== undefined) return found
  walk.steps.left--
  known.set(schema, ALL)
  const types = look(schema)
  known.set(schema, types)
  return types
}

function combined(site: Site, schema: JsonSchema, typesOf: (part: Site) => TypeSet): readonly TypeSet[] {
  const { $ref, allOf, anyOf, oneOf } = schema
  const within = (part: unknown) => typesOf({ ...site, schema: part, depth: site.depth + 1 })
  return [
    ...(typeof $ref === "string" ? [typesOf(follow(site, $ref))] : []),
    ...(Array.isArray(allOf) ? allOf.map(within) : []),
    ...[anyOf, oneOf].filter(Array.isArray).map((parts) => new Set(parts.flatMap((part) => [...within(part)]))),
  ]
}

function follow(site: Site, ref: string): Site {
  const [mark, ...keys] = ref.split("/").map(unescapePointerToken)
  const depth = site.depth + 1
  const step = (part: unknown, key: string) => (isJsonObject(part) ? part[key] : undefined)
  if (mark !== "#") return { ...site, schema: undefined, depth }
  if (keys[0] !== "schema_defs") return { ...site, schema: keys.reduce<unknown>(step, site.root), depth }
  const name = decodeURIComponent(keys[1] ?? "")
  const root = Object.hasOwn(site.walk.definitions, name) ? site.walk.definitions[name] : undefined
  return { ...site, root: root ?? {}, schema: keys.slice(2).reduce<unknown>(step, root), depth }
}

/** Intersects sets of types. An integer is allowed if a number is. */
function intersect(sets: readonly TypeSet[]): TypeSet {
  const allows = (types: TypeSet, type: JsonType) => types.has(type) || (type === "integer" && types.has("number"))
  return new Set(JSON_TYPES.filter((type) => sets.every((types) => allows(types, type))))
}
