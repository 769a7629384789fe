import { isObject, type JsonObject } from "@assay/json"

/**
 * Returns a schema whose descriptions have its default values, instead of the keyword `default`. In requests, fields with a default can be
 * left out. Generators of clients would make the keyword a field that is always there, also in requests.
 */
export function tellDefaults(schema: unknown, { isRequest }: { readonly isRequest: boolean }): unknown {
  if (Array.isArray(schema)) return schema.map((member) => tellDefaults(member, { isRequest }))
  if (!isObject(schema)) return schema
  const walked: JsonObject = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, isValue(key) ? value : tellDefaults(value, { isRequest })]),
  )
  const { properties } = schema
  if (!isObject(properties)) return walked
  const told = Object.entries(walked["properties"] as JsonObject).map(([name, field]) => [name, withDefault(field)])
  const required: unknown = walked["required"]
  const names = Array.isArray(required) ? (required as string[]) : []
  return {
    ...walked,
    properties: Object.fromEntries(told),
    ...(names.length === 0
      ? {}
      : { required: isRequest ? names.filter((name) => !canBeLeftOut(properties[name])) : names }),
  }
}

/** Keywords whose values are data. */
function isValue(key: string): boolean {
  return key === "examples" || key === "enum" || key === "const"
}

function hasDefault(field: unknown): field is JsonObject {
  return isObject(field) && "default" in field
}

/** Returns whether a request can leave a field out. Clients need the fields that distinguish the members of a union. */
function canBeLeftOut(field: unknown): boolean {
  return hasDefault(field) && !("const" in field)
}

function withDefault(field: unknown): unknown {
  if (!hasDefault(field)) return field
  const { default: value, description, ...rest } = field
  const said = `Default \`${JSON.stringify(value)}\`.`
  return { ...rest, description: typeof description === "string" ? `${description} ${said}` : said }
}
