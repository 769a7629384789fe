import { misspeltName, type ValidationIssue } from "@assay/schemas"
import { Type } from "@sinclair/typebox"
import type { RouteOptions } from "fastify"
import type { App } from "../app.ts"

/** Parameters that hold names in brackets, which their own parsers check: `filter[name]`. */
const BRACKETED: ReadonlySet<string> = new Set(["filter", "search"])

/** A request with thousands of unknown parameters learns about the first ones. */
const MAX_ISSUES = 20

type Json = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** Has every described route that reads no query parameter refuse all of them. */
export function closeQueries(app: App): void {
  app.addHook("onRoute", ({ schema }) => {
    if (schema === undefined || schema.hide === true) return
    schema.querystring ??= Type.Object({})
  })
}

/** Has the routes of a scope ignore the query parameters that they don't know, as the protocol does that they speak. */
export function openQueries(app: App): void {
  app.addHook("onRoute", ({ schema }: RouteOptions) => {
    if (schema !== undefined) schema.querystring = { ...(schema.querystring as object), additionalProperties: true }
  })
}

function namesIn(schema: unknown): string[] {
  if (!isObject(schema)) return []
  const { properties, allOf } = schema
  const parts = Array.isArray(allOf) ? allOf.flatMap(namesIn) : []
  return isObject(properties) ? [...Object.keys(properties), ...parts] : parts
}

/** Names what a query has that its schema does not: a misspelt filter or page must not answer as if it were there. */
export function unknownQueryKeys(schema: unknown): (query: unknown) => ValidationIssue[] {
  if (isObject(schema) && schema["additionalProperties"] === true) return () => []
  const names = namesIn(schema)
  const known = new Set(names)
  const isKnown = (key: string) => {
    if (known.has(key)) return true
    const bracket = key.indexOf("[")
    return bracket > 0 && BRACKETED.has(key.slice(0, bracket)) && known.has(key.slice(0, bracket))
  }
  return (query) => {
    const unknown: ValidationIssue[] = []
    for (const key in query as object) {
      if (isKnown(key)) continue
      unknown.push({ loc: ["query", key], msg: messageOf(key, names), type: "extra_forbidden" })
      if (unknown.length === MAX_ISSUES) break
    }
    return unknown
  }
}

function messageOf(key: string, names: readonly string[]): string {
  const meant = misspeltName(key, names)
  if (meant !== undefined) return `Unknown query parameter; did you mean '${meant}'?`
  const taken = names.length === 0 ? "no query parameters" : names.join(", ")
  return `Unknown query parameter; this operation takes ${taken}`
}
