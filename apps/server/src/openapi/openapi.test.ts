import { addressOf, EXAMPLE_ENDPOINT, EXAMPLE_JOB, EXAMPLE_UPLOAD, OPERATIONS } from "@assay/schemas/validation"
import { type FakeInference, startFakeInference, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { untilJob } from "../testing/evaluation-launch.ts"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

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

/** Requests that create an object again, for examples that delete it a second time. */
const MADE_AGAIN: Readonly<Record<string, string>> = {
  deleteDefaultGuardrailV1: "POST /v1/guardrail/configs",
}

describe("the operations in the OpenAPI description", () => {
  it("have unique ids, and all of them are in the table", verifies("service.openapi-operations"), async () => {
    const { json } = await server.call("GET", "/openapi.json")
    const described = Object.entries(json.paths as Record<string, Described>).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [`${method.toUpperCase()} ${path}`, operationId]),
    )
    expect(Object.fromEntries(described)).toEqual(
      Object.fromEntries(Object.entries(OPERATIONS).map(([key, { id }]) => [key, id])),
    )
    const ids = described.map(([, id]) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(ids.length).toBeGreaterThan(100)
    expect(described.filter(([key]) => key?.startsWith("HEAD "))).toEqual([])
  })

  it("show each example as a shell command", verifies("service.openapi-operations"), async () => {
    const { json } = await server.call("GET", "/openapi.json")
    const { post } = json.paths["/apis/files/v2/workspaces/{ws}/filesets"]
    expect(post["x-codeSamples"][0].source).toBe(
      [
        "curl -X POST 'http://127.0.0.1:8080/apis/files/v2/workspaces/default/filesets' \\",
        "  -H 'content-type: application/json' \\",
        `  --data-binary '{"name":"reviews","purpose":"dataset","description":"Reviews of films"}'`,
      ].join("\n"),
    )
    expect(post.requestBody.content["application/json"].example).toMatchObject({ name: "reviews" })
    expect(post.parameters).toMatchObject([{ name: "ws", example: "default" }])
  })

  it("succeed with their examples, from the first to the last", verifies("service.openapi-operations"), async () => {
    const known = new Map([[EXAMPLE_ENDPOINT, `${fake.url}/v1`]])
    const actual = (text: string) => [...known].reduce((all, [example, real]) => all.replaceAll(example, real), text)
    const run = async (key: string) => {
      const { parameters, headers = {}, body } = OPERATIONS[key] ?? { id: "" }
      const [method = "", path = ""] = key.split(" ")
      const text = body === undefined ? undefined : actual(typeof body === "string" ? body : JSON.stringify(body))
      const type = typeof body === "object" ? { "content-type": "application/json" } : {}
      const sent = { headers: { ...type, ...headers }, ...(text === undefined ? {} : { body: text }) }
      return server.call(method, actual(addressOf(path, parameters)), sent)
    }
    const wrong: unknown[] = []
    for (const [key, { id, needs }] of Object.entries(OPERATIONS)) {
      const first = MADE_AGAIN[id]
      if (first !== undefined) await run(first)
      const { status, text, json, headers } = await run(key)
      // The object has another id each time, so a correct request returns not_found.
      const isRight = needs === undefined ? status < 300 : [403, 404, 405, 409].includes(status)
      if (!isRight) wrong.push([key, status, text.slice(0, 300)])
      if (id === "createUpload") known.set(EXAMPLE_UPLOAD, headers.location?.split("/").at(-1) ?? "")
      if (id === "createJob") known.set(EXAMPLE_JOB, json.id)
      const job = known.get(EXAMPLE_JOB)
      if (["createJob", "retryFailedRows", "scoreJob"].includes(id) && job !== undefined)
        await untilJob(server.url, job, ["COMPLETED"])
    }
    expect(wrong).toEqual([])
  })
})
