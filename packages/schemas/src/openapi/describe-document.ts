import { isObject, type JsonObject } from "@assay/json"
import { describeOperations } from "./describe-operations.ts"

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

/** Moves every named schema to `components`, and replaces it by a reference. */
function hoistSchemas(document: JsonObject): JsonObject {
  const schemas: Record<string, unknown> = {}
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    const { [NAME]: name, ...rest } = value
    const walked = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, walk(child)]))
    if (typeof name !== "string") return walked
    schemas[name] = walked
    return { $ref: `#/components/schemas/${name}` }
  }
  const walked = walk(document) as JsonObject
  const components = isObject(walked["components"]) ? walked["components"] : {}
  return { ...walked, components: { ...components, schemas } }
}

/** Returns the schema of a route for the document, with the names of its schemas and its streamed bodies. */
export function describeRoute(schema: unknown): unknown {
  return keepNames(describeBytes(schema))
}

/** Adds ids and examples to the operations of a document, and moves every named schema to its `components`. */
export function describeDocument(document: JsonObject): JsonObject {
  return hoistSchemas(describeOperations(document))
}
