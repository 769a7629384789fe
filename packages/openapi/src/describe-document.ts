import { isObject, type JsonObject } from "@assay/json"
import { tellDefaults } from "./tell-defaults.ts"
import { describeOperations } from "./describe-operations.ts"
import type { RecordedAnswers } from "./describe-responses.ts"

/** Replaces `$id` while @fastify/swagger works, because it would remove the ids. */
const NAME = "x-schema-name"

/** Returns the schema of a route with each `$id` renamed to `NAME`. */
function keepNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(keepNames)
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).map(([key, value]) => [key === "$id" ? NAME : key, keepNames(value)])
  return Object.fromEntries(entries)
}

/** Describes streamed bodies, which have no schema, and the path parameter that the router calls `*`. */
function describeBytes(schema: unknown): unknown {
  if (!isObject(schema)) return schema
  const { params } = schema
  const body = "consumes" in schema ? { body: { type: "string", format: "binary" } } : {}
  if (!isObject(params) || !isObject(params["properties"]) || !("*" in params["properties"]))
    return { ...schema, ...body }
  const { "*": path, ...properties } = params["properties"]
  return {
    ...schema,
    ...body,
    params: { ...params, required: [...Object.keys(properties), "path"], properties: { ...properties, path } },
  }
}

/** Writes a tuple as JSON Schema 2020-12 does: OpenAPI 3.1 has no list of `items`. */
function modernTuple(schema: JsonObject): JsonObject {
  const { items, additionalItems: _more, ...rest } = schema
  return Array.isArray(items) && schema["type"] === "array" ? { ...rest, prefixItems: items, items: false } : schema
}

/** Moves every named schema to `components`, and replaces it by a reference. */
function hoistSchemas(document: JsonObject): JsonObject {
  const schemas: Record<string, unknown> = {}
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    const { [NAME]: name, ...rest } = modernTuple(value)
    const walked = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, walk(child)]))
    if (typeof name !== "string") return walked
    schemas[name] = looser(schemas[name], walked)
    return { $ref: `#/components/schemas/${name}` }
  }
  const walked = walk(document) as JsonObject
  const components = isObject(walked["components"]) ? walked["components"] : {}
  return { ...walked, components: { ...components, schemas } }
}

/** Of a record in requests and answers, returns the schema that requires fewer fields: one without those that the server fills. */
function looser(known: unknown, other: JsonObject): JsonObject {
  const sizeOf = ({ required }: JsonObject) => (Array.isArray(required) ? required.length : 0)
  return isObject(known) && sizeOf(known) <= sizeOf(other) ? known : other
}

/** Returns the schema of a route for the document, with the names of its schemas and its streamed bodies. */
export function describeRoute(schema: unknown): unknown {
  const described = describeBytes(schema)
  if (!isObject(described)) return described
  const { body, response, ...rest } = described
  return {
    ...(keepNames(rest) as JsonObject),
    ...(body === undefined ? {} : { body: keepNames(tellDefaults(body, { isRequest: true })) }),
    ...(response === undefined ? {} : { response: keepNames(tellDefaults(response, { isRequest: false })) }),
  }
}

/** Adds ids, descriptions and examples to the operations of a document, and moves every named schema to its `components`. */
export function describeDocument(document: JsonObject, answers: RecordedAnswers = {}): JsonObject {
  const { paths = {}, ...head } = hoistSchemas(document)
  // Examples are data of users, in which a key of a schema means nothing.
  return describeOperations({ ...head, paths }, answers)
}
