import { type TSchema, Type } from "@sinclair/typebox"
import { isJsonObject } from "@assay/json"

/**
 * Returns the schema for one value, in which each union is replaced by its only member that has the type of the value: a fault in a union only
 * says that no member fits. A union without such a member stays, and describes what is allowed.
 */
export function narrowSchema(schema: TSchema, value: unknown): TSchema {
  const members: readonly TSchema[] | undefined = schema["anyOf"]
  if (members !== undefined) {
    const fitting = members.filter((member) => isOfType(member, value))
    const [only] = fitting
    if (only === undefined || (fitting.length > 1 && !Array.isArray(value) && !isJsonObject(value))) return schema
    const { description = only.description, examples = only["examples"] } = schema
    return { ...narrowSchema(bestOf(fitting, value) ?? only, value), ...defined({ description, examples }) }
  }
  if (Array.isArray(value) && isSchema(schema["items"])) {
    const { minItems, maxItems, description, examples } = schema
    if (value.length < (minItems ?? 0) || value.length > (maxItems ?? Infinity)) return schema
    const items: TSchema = schema["items"]
    return Type.Tuple(
      value.map((one) => narrowSchema(items, one)),
      defined({ description, examples }),
    )
  }
  if (!isJsonObject(value)) return schema
  const properties: Readonly<Record<string, TSchema>> = schema["properties"] ?? {}
  const narrowed = Object.entries(properties).map(([key, one]) => {
    return [key, Object.hasOwn(value, key) ? narrowSchema(one, value[key]) : one] as const
  })
  if (narrowed.length > 0) return { ...schema, properties: Object.fromEntries(narrowed) }
  const [pattern] = Object.entries<TSchema>(schema["patternProperties"] ?? {})
  if (pattern === undefined) return schema
  const [key, inner] = pattern
  if (inner["anyOf"] === undefined && inner["properties"] === undefined) return schema
  const isNamed = new RegExp(key)
  const own = Object.entries(value).filter(([name]) => isNamed.test(name))
  return Type.Object(Object.fromEntries(own.map(([name, one]) => [name, narrowSchema(inner, one)])), {
    ...defined({ description: schema.description, examples: schema["examples"] }),
    additionalProperties: false,
  })
}

/** Returns the member with the most keys of an object. */
function bestOf(members: readonly TSchema[], value: unknown): TSchema | undefined {
  if (!isJsonObject(value) || members.length === 1) return members[0]
  const shared = ({ properties = {} }: TSchema) => Object.keys(value).filter((key) => key in properties).length
  return members.toSorted((a, b) => shared(b) - shared(a))[0]
}

function isSchema(value: unknown): value is TSchema {
  return isJsonObject(value)
}

function isOfType({ type }: TSchema, value: unknown): boolean {
  switch (type) {
    case "array":
      return Array.isArray(value)
    case "object":
      return isJsonObject(value)
    case "number":
    case "integer":
      return typeof value === "number"
    default:
      return type === undefined || type === typeof value
  }
}

function defined(options: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}
