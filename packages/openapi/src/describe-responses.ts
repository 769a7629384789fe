import { isObject, type JsonObject } from "@assay/json"

/** An answer of a real server to the example of an operation. */
export interface RecordedAnswer {
  readonly status: number
  /** The media type, without parameters. Null: there was no body. */
  readonly type: string | null
  /** JSON or text. Absent: there was no body, or it has bytes. */
  readonly example?: unknown
}

/** Answers by the id of their operation. */
export type RecordedAnswers = Readonly<Record<string, RecordedAnswer>>

/** The text of the library if a route does not describe a response. */
const DEFAULT = "Default Response"
const MEANINGS: Readonly<Record<string, string>> = {
  "422": "A field of the request is wrong. `detail` lists each fault with its location.",
  "4XX": "The request cannot be answered. `code` says why to programs, and `detail` to people.",
  "5XX": "The server, or a service that it needs, failed.",
}

/** Describes the responses of an operation: their meaning, errors, the types of bodies without a schema, and an example. */
export function describeResponses(
  responses: JsonObject,
  { answer, isXml }: { readonly answer: RecordedAnswer | undefined; readonly isXml: boolean },
): JsonObject {
  const described = Object.entries(responses).map(([status, response]) => [status, withMeaning(status, response)])
  const all = Object.fromEntries(described) as Record<string, JsonObject>
  if (!Object.keys(all).some((status) => status.startsWith("4"))) all["4XX"] = isXml ? XML_ERROR : JSON_ERROR
  return answer === undefined ? all : withAnswer(all, answer)
}

const XML_ERROR: JsonObject = {
  description: "The request cannot be answered: an error of S3.",
  content: { "application/xml": { schema: { type: "string" } } },
}
const JSON_ERROR: JsonObject = {
  description: MEANINGS["4XX"],
  content: { "application/json": { schema: { $ref: "#/components/schemas/ErrorBody" } } },
}

function withMeaning(status: string, response: unknown): JsonObject {
  const described = isObject(response) ? response : {}
  if (described["description"] !== DEFAULT) return described
  return { ...described, description: MEANINGS[status] ?? "The answer." }
}

function withAnswer(responses: Record<string, JsonObject>, answer: RecordedAnswer): JsonObject {
  const status = String(answer.status)
  const { [status]: found, ...others } = responses
  // A route without a schema of its answer has only the status that the library assumes.
  const assumed = found === undefined && !("content" in (others["200"] ?? {}))
  const { 200: ok = { description: "The answer." }, ...errors } = others
  const response = found ?? ok
  return { ...(assumed ? errors : others), [status]: withBody(response, answer) }
}

function withBody(response: JsonObject, { type, example }: RecordedAnswer): JsonObject {
  if (type === null) return response
  const content = isObject(response["content"]) ? response["content"] : {}
  const media = isObject(content[type]) ? content[type] : { schema: schemaOf(type) }
  return { ...response, content: { ...content, [type]: example === undefined ? media : { ...media, example } } }
}

function schemaOf(type: string): JsonObject {
  if (/[/+]json$/.test(type)) return {}
  return /^text\/|xml$|ndjson$/.test(type) ? { type: "string" } : { type: "string", format: "binary" }
}
