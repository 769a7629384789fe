import { readFileSync, writeFileSync } from "node:fs"
import { OPERATIONS } from "@assay/openapi"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { recordAnswer, UNRECORDED } from "../testing/record-answers.ts"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"
import { walkOperations } from "../testing/walk-operations.ts"

type Described = Record<string, { operationId?: string; "x-codeSamples"?: { source: string }[] }>

let server: TestServer
let fake: FakeInference
beforeAll(async () => {
  fake = await startFakeInference()
  server = await startTestServer()
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await fake.close()
})

interface JsonSchema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly items?: JsonSchema
  readonly additionalProperties?: unknown
  readonly patternProperties?: unknown
}
interface BodySchema {
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema } | undefined>> }
}

/** Bodies that follow the hub, OpenAI or MCP, and those of the workers' own protocol, have fields of later versions. */
const OTHER_PROTOCOLS = /\/hf\/|\/openai\/|guardrails?\/.*(?:checks|completions)$|^\/mcp$|\/paces\//

/** Returns the paths of objects that take any key. Only what is written out is looked at: targets and configurations keep fields of others. */
function openObjects(schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>, path = "body"): string[] {
  const found = schema.$ref === undefined ? schema : schemas[schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1)]
  const { properties, items, additionalProperties, patternProperties } = found ?? {}
  if (items !== undefined) return openObjects(items, schemas, `${path}[]`)
  if (properties === undefined) return []
  const own = additionalProperties === undefined && patternProperties === undefined ? [path] : []
  return [...own, ...Object.entries(properties).flatMap(([key, one]) => openObjects(one, schemas, `${path}.${key}`))]
}

/** Writes what the server answers, for the description: UPDATE_ANSWERS=1 npx vitest run src/openapi/openapi.test.ts */
const ANSWERS = new URL("./openapi-answers.json", import.meta.url)
const isUpdate = process.env["UPDATE_ANSWERS"] !== undefined

describe("the operations in the OpenAPI description", () => {
  it("have unique ids, and all of them are in the table", verifies("service.openapi-operations"), async () => {
    const { json } = await server.call("GET", "/openapi.json")
    const described = Object.entries(json.paths as Record<string, Described>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [
        `${method.toUpperCase()} ${path.replaceAll("{workspace}", "{ws}")}`,
        operationId,
      ]),
    )
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries(Object.entries(OPERATIONS).map(([key, { id }]) => [key, id])),
    )
    const ids = described.map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(100)
    expect(described.filter(([key]) => key?.startsWith("HEAD "))).toEqual([])
  })

  it("take no unknown key in a body, but in those of other protocols", verifies("service.unknown-keys"), async () => {
    const { json } = await server.call("GET", "/openapi.json")
    const schemas = json.components.schemas as Record<string, JsonSchema>
    const bodies = Object.entries(json.paths as Record<string, Record<string, BodySchema>>).flatMap(([path, methods]) =>
      OTHER_PROTOCOLS.test(path)
        ? []
        : Object.entries(methods).flatMap(([method, { requestBody }]) => {
            const schema = requestBody?.content["application/json"]?.schema
            return schema === undefined ? [] : [{ name: `${method} ${path}`, open: openObjects(schema, schemas) }]
          }),
    )
    expect(bodies.length).toBeGreaterThan(30)
    expect(bodies.filter(({ open }) => open.length > 0)).toEqual([])
  })

  it("show each example as a shell command", verifies("service.openapi-operations"), async () => {
    const { json } = await server.call("GET", "/openapi.json")
    const { post } = json.paths["/apis/files/v2/workspaces/{workspace}/filesets"]
    expect(post["x-codeSamples"][0].source).toBe(
      [
        "curl -X POST 'http://127.0.0.1:8080/apis/files/v2/workspaces/default/filesets' \\",
        "  -H 'content-type: application/json' \\",
        `  --data-binary '{"name":"reviews","purpose":"dataset","description":"Reviews of films"}'`,
      ].join("\n"),
    )
    expect(post.requestBody.content["application/json"].example).toMatchObject({ name: "reviews" })
    expect(post.parameters).toMatchObject([{ name: "workspace", example: "default" }])
  })

  it(
    "succeed with their examples, from the first to the last, and the description shows their answers",
    verifies("service.openapi-operations", "service.openapi-answers"),
    async () => {
      const walked = await walkOperations(server, fake)
      // The object has another id each time, so a correct request returns not_found.
      const wrong = walked.filter(({ isRefused, answer: { status } }) =>
        isRefused ? ![403, 404, 405, 409].includes(status) : status >= 300,
      )
      expect(wrong.map(({ key, answer }) => [key, answer.status, answer.text.slice(0, 300)])).toEqual([])
      const places = { server: server.url, endpoint: fake.url, folder: server.folder }
      const answered = walked.filter(({ isRefused }) => !isRefused)
      const seen = Object.fromEntries(answered.map((one) => [one.id, recordAnswer(one, places)]))
      const recorded = { ...UNRECORDED, ...seen }
      if (isUpdate) writeFileSync(ANSWERS, `${JSON.stringify(recorded, null, 2)}\n`)
      const kept: typeof recorded = JSON.parse(readFileSync(ANSWERS, "utf8"))
      const kindsOf = (answers: typeof recorded) =>
        Object.entries(answers).map(([id, { status, type, example }]) => [id, status, type, fieldsOf(example)])
      // If an operation is new or its answer has other fields, record the answers again.
      expect(kindsOf(kept)).toEqual(kindsOf(recorded))
    },
  )
})

/** Returns the names of the fields of an answer. */
function fieldsOf(example: unknown): readonly string[] {
  return typeof example === "object" && example !== null ? Object.keys(example).toSorted() : [typeof example]
}
