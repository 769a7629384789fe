import { isJsonSchema, type JsonSchema } from "../schemas/json-schema.ts"
import { JSON_TYPES, jsonTypeOf, type JsonType } from "../schemas/json-type.ts"

export type TypeSet = ReadonlySet<JsonType>

/** What the texts of a column may become. */
export type ColumnTypes = (column: string) => TypeSet

const ALL: TypeSet = new Set(JSON_TYPES)
const DEEPEST = 50

/** Nothing is said about any column, so that every text stays text. */
export const anyColumns: ColumnTypes = () => ALL

/**
 * The types that `schema` allows for each column: those of its property, through `$ref`, `allOf`, `anyOf` and `oneOf`.
 * What else can say something about types (`if`, `not`, patterns of names) is not looked at, and allows all.
 */
export function columnTypesOf(schema: JsonSchema, definitions: Readonly<Record<string, JsonSchema>>): ColumnTypes {
  const known = new Map<string, TypeSet>()
  return (column) => {
    const types = known.get(column) ?? propertyTypes({ schema, root: schema, definitions, depth: 0 }, column)
    known.set(column, types)
    return types
  }
}

/** A schema within the document that its references are relative to. */
interface Site {
  readonly schema: unknown
  readonly root: JsonSchema
  readonly definitions: Readonly<Record<string, JsonSchema>>
  readonly depth: number
}

/** What a row's schema allows for its property. */
function propertyTypes(site: Site, column: string): TypeSet {
  const { schema, depth } = site
  if (!isJsonSchema(schema) || depth > DEEPEST) return ALL
  const { properties } = schema
  const own = isJsonSchema(properties) && Object.hasOwn(properties, column) ? properties[column] : undefined
  return intersect([
    valueTypes({ ...site, schema: own, depth: depth + 1 }),
    ...combined(site, schema, (part) => propertyTypes(part, column)),
  ])
}

/** What a value's schema allows for it. */
function valueTypes(site: Site): TypeSet {
  const { schema, depth } = site
  if (!isJsonSchema(schema) || depth > DEEPEST) return ALL
  const { type, enum: values } = schema
  const given = typeof type === "string" ? [type] : Array.isArray(type) ? type : undefined
  return intersect([
    given === undefined ? ALL : new Set(JSON_TYPES.filter((one) => given.includes(one))),
    Array.isArray(values) ? new Set(values.map(jsonTypeOf)) : ALL,
    "const" in schema ? new Set([jsonTypeOf(schema["const"])]) : ALL,
    ...combined(site, schema, valueTypes),
  ])
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
  const [mark, ...keys] = ref.split("/").map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"))
  const depth = site.depth + 1
  const step = (part: unknown, key: string) => (isJsonSchema(part) ? part[key] : undefined)
  if (mark !== "#") return { ...site, schema: undefined, depth }
  if (keys[0] !== "schema_defs") return { ...site, schema: keys.reduce<unknown>(step, site.root), depth }
  const root = site.definitions[decodeURIComponent(keys[1] ?? "")]
  return { ...site, root: root ?? {}, schema: keys.slice(2).reduce<unknown>(step, root), depth }
}

/** An integer is allowed where a number is. */
function intersect(sets: readonly TypeSet[]): TypeSet {
  const allows = (types: TypeSet, type: JsonType) => types.has(type) || (type === "integer" && types.has("number"))
  return new Set(JSON_TYPES.filter((type) => sets.every((types) => allows(types, type))))
}
