import { isObject, type JsonObject } from "@assay/json"
import { JUDGING_DESCRIPTIONS } from "./descriptions/judging-descriptions.ts"
import { PLATFORM_DESCRIPTIONS } from "./descriptions/platform-descriptions.ts"
import { REGISTRY_DESCRIPTIONS } from "./descriptions/registry-descriptions.ts"
import { describeResponses, type RecordedAnswers } from "./describe-responses.ts"
import { JUDGING_OPERATIONS } from "./judging-operations.ts"
import type { Operation, Operations } from "./operation.ts"
import { PLATFORM_OPERATIONS } from "./platform-operations.ts"
import { REGISTRY_OPERATIONS } from "./registry-operations.ts"

/** All operations of the interface. */
export const OPERATIONS: Operations = { ...REGISTRY_OPERATIONS, ...JUDGING_OPERATIONS, ...PLATFORM_OPERATIONS }

/** The path parameter `ws`, as the contract names it. Generated clients have it as an argument. */
const WORKSPACE = "workspace"

/** Adds ids, descriptions and examples to the operations of an OpenAPI document. */
export function describeOperations(document: JsonObject, answers: RecordedAnswers): JsonObject {
  const paths = Object.entries(document["paths"] as JsonObject).map(([path, methods]) => {
    const described = Object.entries(methods as JsonObject).map(([method, given]) => {
      const operation = OPERATIONS[`${method.toUpperCase()} ${path}`]
      const answer = operation === undefined ? undefined : answers[operation.id]
      const isXml = path === "/s3" || path.startsWith("/s3/")
      const { responses = {}, ...rest } = given as JsonObject
      const answered = { ...rest, responses: describeResponses(responses as JsonObject, { answer, isXml }) }
      return [
        method,
        withWorkspace(operation === undefined ? answered : withExample(answered, operation, method, path)),
      ]
    })
    return [path.replaceAll("{ws}", `{${WORKSPACE}}`), Object.fromEntries(described)]
  })
  return { ...document, paths: Object.fromEntries(paths) }
}

function withExample(described: JsonObject, operation: Operation, method: string, path: string): JsonObject {
  const { id, parameters = {}, headers = {}, body } = operation
  const named = { ...parameters, ...headers }
  const given = ((described["parameters"] ?? []) as JsonObject[]).map((parameter) => {
    const example = named[String(parameter["name"])]
    return example === undefined ? parameter : { ...parameter, example }
  })
  return {
    operationId: id,
    ...described,
    description: descriptionOf(described, operation),
    ...(given.length === 0 ? {} : { parameters: given.map(asOptional) }),
    ...(body === undefined
      ? {}
      : { requestBody: withBody(described["requestBody"] as JsonObject | undefined, body, headers["content-type"]) }),
    "x-codeSamples": [{ lang: "Shell", label: "curl", source: curlOf(operation, method, path) }],
  }
}

function withWorkspace(described: JsonObject): JsonObject {
  const given = described["parameters"]
  if (!Array.isArray(given)) return described
  const parameters = given.map((parameter: JsonObject) => {
    const isWorkspace = parameter["name"] === "ws" && parameter["in"] === "path"
    return isWorkspace ? { ...parameter, name: WORKSPACE } : parameter
  })
  return { ...described, parameters }
}

const DESCRIPTIONS = { ...REGISTRY_DESCRIPTIONS, ...JUDGING_DESCRIPTIONS, ...PLATFORM_DESCRIPTIONS }

/** Returns the description of the route or of the table, and what its example needs. */
function descriptionOf(described: JsonObject, { id, needs }: Operation): string {
  const { description = DESCRIPTIONS[id] } = described
  const example = needs === undefined ? undefined : `The example needs ${needs}.`
  return [description, example].filter((part) => typeof part === "string").join(" ")
}

/** A parameter with a default value can be left out, although its schema says that the route always has it. */
function asOptional(parameter: JsonObject): JsonObject {
  const { schema } = parameter
  return isObject(schema) && "default" in schema ? { ...parameter, required: false } : parameter
}

const FORM = "application/x-www-form-urlencoded"

function withBody(requestBody: JsonObject = {}, example: unknown, type: string | undefined): JsonObject {
  const content = (requestBody["content"] ?? {}) as Record<string, JsonObject>
  if (type !== FORM) {
    const shown = Object.entries(content).map(([name, media]) => [name, { ...media, example }])
    return { ...requestBody, content: Object.fromEntries(shown) }
  }
  // A form has the fields of the object that JSON would be.
  const fields = Object.fromEntries(new URLSearchParams(String(example)))
  const schema = content["application/json"]?.["schema"]
  return { ...requestBody, content: { ...content, [FORM]: { schema, example: fields } } }
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
