// Declares the types of values that `inject` returns.
/// <reference types="@assay/testkit/postgres-setup" />
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeRange } from "@assay/json"
import { createDatabase, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest"
import { CHECK, EVALUATION, GIVEN } from "../testing/evaluation-bodies.ts"
import { ENTITIES, FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

type Json = Readonly<Record<string, unknown>>
interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: Json
}
interface Operation {
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> }
}

let storage: string
let servers: readonly TestServer[] = []
let paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
let schemas: Readonly<Record<string, Json>>
beforeAll(async () => {
  storage = await mkdtemp(join(tmpdir(), "assay-numbers-"))
  servers = await Promise.all([
    startTestServer(),
    startTestServer({
      DATABASE_URL: await createDatabase(inject("postgresUrl")),
      ASSAY_SHARED_LOCAL: "1",
      ASSAY_DEFAULT_STORAGE: JSON.stringify({ type: "local", path: storage }),
      ASSAY_ENCRYPTION_KEYS: `shared:${Buffer.alloc(32, 3).toString("base64")}`,
    }),
  ])
  for (const server of servers) {
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: "n", purpose: "dataset" } })
    await server.call("PUT", `${FILES}/default/filesets/n/-/rows.jsonl`, { body: '{"a":1}\n' })
  }
  const { json } = (await servers[0]?.call("GET", "/openapi.json")) ?? {}
  paths = json.paths
  schemas = json.components.schemas
})
afterAll(async () => {
  for (const server of servers) await server[Symbol.asyncDispose]()
  await rm(storage, { recursive: true })
})

/** Sends the same request to a server on each database. Returns the one answer that both gave. */
async function sameAnswer(method: string, path: string, body?: string) {
  const headers = { "content-type": "application/json" }
  const [one, other] = await Promise.all(
    servers.map((server) => server.call(method, path, body === undefined ? {} : { body, headers })),
  )
  if (one === undefined || other === undefined) throw new Error("There are two servers.")
  expect([path, body, other.status, other.json?.detail]).toEqual([path, body, one.status, one.json?.detail])
  expect([path, body, one.status]).toEqual([path, body, expect.toSatisfy((status: number) => status < 500)])
  return one
}

/** Finds the numbers of a schema without a lower or an upper limit. */
function* unlimitedIn(schema: unknown, path: string, seen: readonly unknown[]): Generator<string> {
  if (typeof schema !== "object" || schema === null || seen.includes(schema)) return
  const { $ref, type, ...rule } = schema as Json
  if (typeof $ref === "string") yield* unlimitedIn(schemas[$ref.split("/").at(-1) ?? ""], path, [...seen, schema])
  const isNumeric = [type].flat().some((one) => one === "integer" || one === "number")
  const hasBoth = ["inimum", "aximum"].every((end) => `m${end}` in rule || `exclusiveM${end}` in rule)
  if (isNumeric && !hasBoth && !("enum" in rule) && !("const" in rule)) yield path
  for (const [key, inner] of Object.entries(rule)) {
    const isMap = key === "properties" || key === "patternProperties"
    const parts = isMap || Array.isArray(inner) ? Object.entries(inner as object) : [["", inner] as const]
    if (!["properties", "patternProperties", "items", "anyOf", "oneOf", "allOf", "additionalProperties"].includes(key))
      continue
    for (const [name, part] of parts) yield* unlimitedIn(part, isMap ? `${path}.${name}` : path, [...seen, schema])
  }
}

/** 2^53, 2^63, and a number whose sums are infinite. */
const TOO_LARGE = ["9007199254740992", "9223372036854775808", "1e308"]

describe("numbers from outside", () => {
  it("all have a range in the OpenAPI description", verifies("requests.number-ranges"), () => {
    const operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, one]) => ({ ...one, key: `${method} ${path}` })),
    )
    const numbers = operations.flatMap(({ key, parameters = [], requestBody }) => [
      ...parameters.flatMap(({ name, schema }) => [...unlimitedIn(schema, `${key} ${name}`, [])]),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => [...unlimitedIn(schema, key, [])]),
    ])
    expect(operations.length).toBeGreaterThan(100)
    expect(numbers).toEqual([])
  })

  it(
    "in queries and paths are decimal and within their range, on both databases",
    verifies("requests.number-ranges"),
    async () => {
      let doors = 0
      for (const [path, methods] of Object.entries(paths)) {
        const { parameters = [] } = methods["get"] ?? {}
        for (const { name, in: part, schema } of parameters) {
          if (schema["type"] !== "integer" && schema["type"] !== "number") continue
          doors++
          const known: Readonly<Record<string, string>> = {
            type: "datasets",
            workspace: "default",
            name: "n",
            task: "qa",
            path: "rows.jsonl",
            jobs: "a,b",
            metric: "m",
            a: "a",
            b: "b",
          }
          const address = (value: string) => {
            const at = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => (key === name ? value : (known[key] ?? "x")))
            const required = parameters.filter((one) => one.in === "query" && one.name !== name && one.name in known)
            const query = required.map((one) => `${one.name}=${known[one.name] ?? ""}`)
            return `${at}?${[...query, ...(part === "query" ? [`${name}=${value}`] : [])].join("&")}`
          }
          for (const value of ["9223372036854775808", "0x1"]) {
            const { status, json } = await sameAnswer("GET", address(value))
            const message = `Must be ${describeRange(schema)}`
            const answer = json.error === undefined ? json.detail : [{ loc: [part, name], msg: json.error }]
            expect([path, name, value, status, answer]).toMatchObject([
              path,
              name,
              value,
              422,
              [{ loc: [part, name], msg: expect.stringContaining(message) }],
            ])
          }
          for (const value of ["-0", String(schema["maximum"])]) await sameAnswer("GET", address(value))
        }
      }
      expect(doors).toBeGreaterThan(20)
    },
  )

  const config = (params: string) =>
    JSON.stringify({ ...CHECK, params: {} }).replace('"params":{}', `"params":${params}`)
  const gate = (fields: string) => config(`{"gates":[{"task":"qa","metric":"accuracy",${fields}}]}`)
  const target = (fields: string) => JSON.stringify(GIVEN).replace(/^\{/, `{${fields},`)
  const label = (fields: string) => `{"labels":[{"task":"qa","row_index":0,"repeat":0,"metric":"m.s",${fields}}]}`
  const DOORS: readonly (readonly [string, string, (value: string) => string])[] = [
    ["PUT", `${ENTITIES}/default/budget`, (value) => `{"max_requests":${value}}`],
    ["PUT", `${ENTITIES}/default/budget`, (value) => `{"max_tokens":${value}}`],
    ["PUT", `${ENTITIES}/default/budget`, (value) => `{"max_cost":${value}}`],
    ["POST", `${EVALUATION}/configs`, (value) => config(`{"limit_samples":${value}}`)],
    ["POST", `${EVALUATION}/configs`, (value) => config(`{"parallelism":${value}}`)],
    ["POST", `${EVALUATION}/configs`, (value) => config(`{"temperature":${value}}`)],
    ["POST", `${EVALUATION}/configs`, (value) => config(`{"seed":${value}}`)],
    ["POST", `${EVALUATION}/configs`, (value) => config(`{"request_timeout":${value}}`)],
    ["POST", `${EVALUATION}/configs`, (value) => config(`{"budget":{"max_tokens":${value}}}`)],
    ["POST", `${EVALUATION}/configs`, (value) => config(`{"budget":{"max_cost":${value}}}`)],
    ["POST", `${EVALUATION}/configs`, (value) => gate(`"op":">=","value":${value}`)],
    ["POST", `${EVALUATION}/configs`, (value) => gate(`"against":"main","margin":${value}`)],
    ["POST", `${EVALUATION}/configs`, (value) => gate(`"op":">=","value":0,"range":[${value},1]`)],
    ["PUT", `${EVALUATION}/jobs/eval-x/labels`, (value) => label(`"label":${value}`)],
    ["PUT", `${EVALUATION}/jobs/eval-x/labels`, (value) => label(`"label":1,"probability":${value}`)],
    ["POST", `${EVALUATION}/targets`, (value) => target(`"dataset":{"limit":${value}}`)],
    [
      "POST",
      `/apis/files/v2/hf/datasets/default/n.git/info/lfs/objects/batch`,
      (value) => `{"operation":"upload","objects":[{"oid":"${"a".repeat(64)}","size":${value}}]}`,
    ],
    [
      "POST",
      `/apis/guardrails/v2/workspaces/default/configs`,
      (value) => `{"name":"g${value}","data":{"lowest_temperature":${value}}}`,
    ],
  ]

  it.each(DOORS)(
    "in bodies are within their range, on both databases: %s %s %#",
    verifies("requests.number-ranges"),
    async (method, path, bodyOf) => {
      for (const value of TOO_LARGE) {
        const { status, text } = await sameAnswer(method, path, bodyOf(value))
        expect([value, status, text]).toEqual([
          value,
          422,
          expect.stringMatching(/Must be (integer or null|a (whole )?number (from|above) )/),
        ])
      }
      expect((await sameAnswer(method, path, bodyOf("NaN"))).status).toBe(422)
      for (const value of ["-1", "-0"]) await sameAnswer(method, path, bodyOf(value))
    },
  )
})
