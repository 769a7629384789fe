import type { JsonObject } from "@assay/json"
import { JUDGING_OPERATIONS } from "./judging-operations.ts"
import type { Operation, Operations } from "./operation.ts"
import { PLATFORM_OPERATIONS } from "./platform-operations.ts"
import { REGISTRY_OPERATIONS } from "./registry-operations.ts"

/** All operations of the interface. */
export const OPERATIONS: Operations = { ...REGISTRY_OPERATIONS, ...JUDGING_OPERATIONS, ...PLATFORM_OPERATIONS }

/** Adds ids and examples to the operations of an OpenAPI document. Operations that are not in `OPERATIONS` stay unchanged. */
export function describeOperations(document: JsonObject): JsonObject {
  const paths = Object.entries(document["paths"] as JsonObject).map(([path, methods]) => {
    const described = Object.entries(methods as JsonObject).map(([method, described]) => {
      const operation = OPERATIONS[`${method.toUpperCase()} ${path}`]
      return [
        method,
        operation === undefined ? described : withExample(described as JsonObject, operation, method, path),
      ]
    })
    return [path, Object.fromEntries(described)]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

function withExample(described: JsonObject, operation: Operation, method: string, path: string): JsonObject {
  const { id, parameters = {}, headers = {}, body, needs } = operation
  const named = { ...parameters, ...headers }
  const given = ((described["parameters"] ?? []) as JsonObject[]).map((parameter) => {
    const example = named[String(parameter["name"])]
    return example === undefined ? parameter : { ...parameter, example }
  })
  const note = needs === undefined ? {} : { description: `The example needs ${needs}.` }
  return {
    operationId: id,
    ...note,
    ...described,
    ...(given.length === 0 ? {} : { parameters: given }),
    ...(body === undefined ? {} : { requestBody: withBody(described["requestBody"] as JsonObject | undefined, body) }),
    "x-codeSamples": [{ lang: "Shell", label: "curl", source: curlOf(operation, method, path) }],
  }
}

function withBody(requestBody: JsonObject = {}, example: unknown): JsonObject {
  const content = Object.entries((requestBody["content"] ?? {}) as JsonObject)
  const shown = content.map(([type, media]) => [type, { ...(media as JsonObject), example }])
  return { ...requestBody, content: Object.fromEntries(shown) }
}

/** Returns the path and the query of an example. */
export function addressOf(path: string, parameters: Operation["parameters"] = {}): string {
  const inPath = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parameters[name])))
  const rest = Object.entries(parameters).filter(([name]) => !path.includes(`{${name}}`))
  const query = new URLSearchParams(rest.map(([name, value]): [string, string] => [name, String(value)]))
  return query.size === 0 ? inPath : `${inPath}?${query.toString()}`
}

function curlOf({ parameters, headers, body }: Operation, method: string, path: string): string {
  const json = body === undefined || typeof body === "string" ? {} : { "content-type": "application/json" }
  const sent = { ...json, ...headers }
  const parts = [
    `curl -X ${method.toUpperCase()} ${quoted(`http://127.0.0.1:8080${addressOf(path, parameters)}`)}`,
    ...Object.entries(sent).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(typeof body === "string" ? body : JSON.stringify(body))}`]),
  ]
  return parts.join(" \\\n  ")
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
