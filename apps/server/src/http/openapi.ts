import fastifySwagger from "@fastify/swagger"
import fastifySwaggerUi from "@fastify/swagger-ui"
import type { App } from "../app.ts"
import { access } from "../auth/access.ts"

type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Stands for `$id` while @fastify/swagger is at work: that would take the ids out. */
const NAME = "x-schema-name"

/** A route's schema whose named parts keep their names. */
function keepNames(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(keepNames)
  if (!isObject(schema)) return schema
  const entries = Object.entries(schema).map(([key, value]) => [key === "$id" ? NAME : key, keepNames(value)])
  return Object.fromEntries(entries)
}

/** Moves every named schema to `components`, and leaves a reference where it stood. */
function hoistSchemas(document: Json): Json {
  const schemas: Json = {}
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    const { [NAME]: name, ...rest } = value
    const walked = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, walk(child)]))
    if (typeof name !== "string") return walked
    schemas[name] = walked
    return { $ref: `#/components/schemas/${name}` }
  }
  const walked = walk(document) as Json
  const components = isObject(walked["components"]) ? walked["components"] : {}
  return { ...walked, components: { ...components, schemas } }
}

/** Of the interface, which is older and slower than the versions of the server. */
const DESCRIPTION_VERSION = "1.0.0"

/** Collects the schemas of the routes that come after it for `/openapi.json`: OpenAPI 3.1. */
export async function installOpenApi(app: App): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Assay",
        description: "Filesets, secrets and workspaces behind one API.",
        version: DESCRIPTION_VERSION,
      },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
      security: [{ bearer: [] }],
      tags: ["filesets", "files", "uploads", "secrets", "workspaces", "projects", "service"].map((name) => ({ name })),
    },
    transform: ({ schema, url }) => ({ schema: keepNames(schema) as typeof schema, url }),
    transformObject: (input) =>
      "openapiObject" in input
        ? (hoistSchemas(input.openapiObject as Json) as typeof input.openapiObject)
        : input.swaggerObject,
  })
  app.get("/openapi.json", { config: access({ scope: "public" }), schema: { hide: true } }, () => app.swagger())
}

/** The page to browse it, served without the internet. It reads the description, so it comes after the routes. */
export async function installReferencePage(app: App): Promise<void> {
  await app.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP: true,
    uiConfig: { docExpansion: "list", tryItOutEnabled: true },
  })
}
