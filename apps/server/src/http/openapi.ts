import fastifySwagger from "@fastify/swagger"
import fastifySwaggerUi from "@fastify/swagger-ui"
import type { App } from "../app.ts"
import { access } from "../auth/access.ts"

type Json = Record<string, unknown>

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Moves every schema that has an `$id` to `components`, and leaves a reference where it stood. */
export function hoistSchemas(document: Json): Json {
  const schemas: Json = {}
  const walk = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(walk)
    if (!isObject(value)) return value
    const { $id, ...rest } = value
    const walked = Object.fromEntries(Object.entries(rest).map(([key, child]) => [key, walk(child)]))
    if (typeof $id !== "string") return walked
    schemas[$id] = walked
    return { $ref: `#/components/schemas/${$id}` }
  }
  const walked = walk(document) as Json
  const components = isObject(walked["components"]) ? walked["components"] : {}
  return { ...walked, components: { ...components, schemas } }
}

/** OpenAPI 3.1 made from the schemas of the routes, and a page to browse it, served without the internet. */
export async function installOpenApi(app: App, version: string): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Assay", description: "Filesets, secrets and workspaces behind one API.", version },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
      security: [{ bearer: [] }],
      tags: ["filesets", "files", "uploads", "secrets", "workspaces", "projects", "service"].map((name) => ({ name })),
    },
    transformObject: (input) =>
      "openapiObject" in input
        ? (hoistSchemas(input.openapiObject as Json) as typeof input.openapiObject)
        : input.swaggerObject,
  })
  await app.register(fastifySwaggerUi, {
    routePrefix: "/docs",
    staticCSP: true,
    uiConfig: { docExpansion: "list", tryItOutEnabled: true },
  })
  app.get("/openapi.json", { config: access({ scope: "public" }), schema: { hide: true } }, () => app.swagger())
}
