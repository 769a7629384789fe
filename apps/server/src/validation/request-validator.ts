import { createRequestChecks, type CompileTime } from "@assay/validation"
import { Type } from "@sinclair/typebox"
import type { FastifySchemaCompiler, RouteOptions } from "fastify"
import type { App } from "../http/app.ts"

/** Creates the validator of requests. Fills defaults, and refuses query parameters that the schema does not name. */
export function createValidatorCompiler(time: CompileTime): FastifySchemaCompiler<unknown> {
  const compile = createRequestChecks(time)
  return ({ schema, httpPart }) =>
    compile(schema, httpPart === "body" ? "body" : httpPart === "querystring" ? "query" : "path")
}

/** Has every described route without query parameters refuse all of them. */
export function closeQueries(app: App): void {
  app.addHook("onRoute", ({ schema }) => {
    if (schema === undefined || schema.hide === true) return
    schema.querystring ??= Type.Object({})
  })
}

/** Has the routes of a scope ignore unknown query parameters, as their protocol requires. */
export function openQueries(app: App): void {
  app.addHook("onRoute", ({ schema }: RouteOptions) => {
    if (schema !== undefined) schema.querystring = { ...(schema.querystring as object), additionalProperties: true }
  })
}
