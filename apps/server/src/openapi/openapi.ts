import { createRequire } from "node:module"
import fastifySwagger from "@fastify/swagger"
import type * as SwaggerUi from "@fastify/swagger-ui"
import { access } from "../auth/access.ts"
import type { App } from "../http/app.ts"
import { isObject, type JsonObject } from "../validation/is-object.ts"
import { describeOperations } from "./operations/describe-operations.ts"

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

const DESCRIPTION = `A registry, an evaluator and a judge for the files of AI teams.

- **Filesets** are named collections of files in workspaces. Their bytes are on local disk, in an asset catalog, on a hub or in an object store. One interface streams them, validates rows against schemas and reads the specification of a model from its checkpoint.
- **Evaluation jobs** run a configuration against a target. They survive a crash, and explain a failure with evidence and a remedy.
- **Guardrails** ask judges about messages. They never guess "safe".

If a server requires tokens, send \`Authorization: Bearer …\`; \`assay token create\` creates one. An error has a \`code\` for programs and a \`detail\` for people. In a 422, \`detail\` lists the location of each error. Unknown keys and query parameters are refused. Lists are paginated.

The examples build on each other: some create what others read, change and delete. All of them work on a new server. Their models are those of \`npm run fake-endpoint\`.`

/** Version of the interface. It does not change with every version of the server. */
const DESCRIPTION_VERSION = "1.0.0"

/** Collects the schemas of all routes that are defined after this call, and defines `/openapi.json` (OpenAPI 3.1). */
export async function installOpenApi(app: App): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Assay API",
        description: DESCRIPTION,
        version: DESCRIPTION_VERSION,
      },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
      security: [{ bearer: [] }],
      tags: [
        "filesets",
        "files",
        "rows",
        "uploads",
        "hub",
        "models",
        "guardrails",
        "guardrails v1",
        "evaluation",
        "secrets",
        "workspaces",
        "projects",
        "platform v1",
        "service",
      ].map((name) => ({
        name,
      })),
    },
    // Every GET route also has HEAD, which needs no description of its own.
    exposeHeadRoutes: false,
    transform: ({ schema, url }) => ({
      schema: keepNames(describeBytes(schema)) as typeof schema,
      url: url.replace("*", ":path"),
    }),
    transformObject: (input) =>
      "openapiObject" in input
        ? (hoistSchemas(describeOperations(input.openapiObject as JsonObject)) as typeof input.openapiObject)
        : input.swaggerObject,
  })
  app.get("/openapi.json", { config: access({ scope: "public" }), schema: { hide: true } }, () => app.swagger())
}

const PAGE = "/docs"
const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="96" height="32"><text x="0" y="24" font-family="sans-serif" font-size="24" font-weight="600" fill="#fff">Assay</text></svg>'

/** Defines the API reference page, which works without the internet. It reads the description: call this after all routes are defined. */
export async function installReferencePage(app: App): Promise<void> {
  // The page shows only the description, which is public. Visitors enter a token there for their calls.
  app.addHook("onRoute", (route) => {
    if (route.url.startsWith(PAGE)) route.config = { ...route.config, ...access({ scope: "public" }) }
  })
  // Not imported: it looks for its static files beside its code, so it can't be a part of a bundle.
  const require = createRequire(import.meta.url)
  const { fastifySwaggerUi } = require("@fastify/swagger-ui") as typeof SwaggerUi
  await app.register(fastifySwaggerUi, {
    routePrefix: PAGE,
    staticCSP: true,
    // Without TLS, this policy would make browsers load the files of the page from https URLs that do not exist.
    transformStaticCSP: (policy) =>
      policy.replace(" validator.swagger.io", "").replace("upgrade-insecure-requests;", ""),
    theme: { title: "Assay" },
    logo: { type: "image/svg+xml", content: Buffer.from(LOGO), href: "/", target: "_self" },
    uiConfig: { docExpansion: "list", tryItOutEnabled: true },
  })
}
