import { readFileSync } from "node:fs"
import type { JsonObject } from "@assay/json"
import { describeDocument, describeRoute, DOCUMENT_HEAD, type RecordedAnswers } from "@assay/openapi"
import fastifySwagger from "@fastify/swagger"
import { access } from "../auth/access.ts"
import { PAGE_POLICY } from "../console/console-routes.ts"
import type { App } from "../http/app.ts"

/** Collects the schemas of all routes that are defined after this call, and defines `/openapi.json` (OpenAPI 3.1). */
export async function installOpenApi(app: App): Promise<void> {
  await app.register(fastifySwagger, {
    openapi: DOCUMENT_HEAD,
    // Every GET route also has HEAD, which needs no description of its own.
    exposeHeadRoutes: false,
    transform: ({ schema, url }) => ({
      schema: describeRoute(schema) as typeof schema,
      url: url.replace("*", ":path"),
    }),
    transformObject: (input) =>
      "openapiObject" in input
        ? (describeDocument(input.openapiObject as JsonObject, readAnswers()) as typeof input.openapiObject)
        : input.swaggerObject,
  })
  app.get("/openapi.json", { config: access({ scope: "public" }), schema: { hide: true } }, () => app.swagger())
}

/** Answers of a server to the examples, which a test records. They are read when somebody asks for the description. */
const ANSWERS = new URL("../../src/openapi/openapi-answers.json", import.meta.url)

function readAnswers(): RecordedAnswers {
  return JSON.parse(readFileSync(ANSWERS, "utf8")) as RecordedAnswers
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
  const { fastifySwaggerUi } = await import("@fastify/swagger-ui")
  await app.register(fastifySwaggerUi, {
    routePrefix: PAGE,
    staticCSP: true,
    transformStaticCSP: () => PAGE_POLICY,
    theme: { title: "Assay" },
    logo: { type: "image/svg+xml", content: Buffer.from(LOGO), href: "/", target: "_self" },
    uiConfig: { docExpansion: "list", tryItOutEnabled: true },
  })
}
