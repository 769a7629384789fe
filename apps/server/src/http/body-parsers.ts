import { parseFormBody, parseJsonBody } from "@assay/schemas/validation"
import type { FastifyInstance } from "fastify"

/** Has `app` parse JSON bodies, with the numbers of rows as they are written, and refuse all other bodies unless a route takes them. */
export function installJsonParser(app: FastifyInstance, bodyLimit: number): void {
  app.removeContentTypeParser(["application/json", "text/plain"])
  app.addContentTypeParser<string>(
    /^application\/([\w.-]+\+)?json\b/,
    { parseAs: "string", bodyLimit },
    (_request, text, done) => {
      try {
        done(null, parseJsonBody(text))
      } catch (error) {
        done(error as Error)
      }
    },
  )
}

/** Has `app` parse forms (`application/x-www-form-urlencoded`) into objects, as if they were JSON. */
export function installFormParser(app: FastifyInstance): void {
  app.addContentTypeParser<string>(
    "application/x-www-form-urlencoded",
    { parseAs: "string" },
    async (_request: unknown, text: string) => parseFormBody(text),
  )
}

/** Has the routes of `app` take bodies of every media type without reading them: they stream their bodies. */
export function streamBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser("*", (_request, _payload, done) => done(null, undefined))
}
