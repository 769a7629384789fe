import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { FILES, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const LONG = "x".repeat(20_000)
/** Short enough for a URL and for the message of an error, so the response has to shorten it. */
const SHORT = "y".repeat(3500)
const JSON_TYPE = { "content-type": "application/json" }

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, unknown>>
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: "path" | "query" | "header" | "cookie" }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> }
}

interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface HostileRequest extends Call {
  readonly method: string
  readonly path: string
}

let server: TestServer
let description: Description
beforeAll(async () => {
  server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "a" } })
  await server.call("PUT", `${FILES}/default/filesets/a/-/rows.jsonl`, { body: '{"a":1}\n' })
  description = (await server.call("GET", "/openapi.json")).json
})
afterAll(() => server[Symbol.asyncDispose]())

const operations = () =>
  Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )

/** Returns a URL whose parameters name existing objects, except the given one. */
const addressOf = (path: string, given: Readonly<Record<string, string>> = {}) =>
  path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => given[name] ?? (/^(?:ws|workspace|namespace)$/.test(name) ? "default" : "a"),
  )

function propertiesOf(schema: Schema | undefined): readonly string[] {
  if (schema === undefined) return []
  const { $ref, properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema
  const referred = $ref === undefined ? undefined : description.components.schemas[$ref.split("/").at(-1) ?? ""]
  const parts = [...anyOf, ...oneOf, ...allOf, ...(referred === undefined ? [] : [referred])]
  return [...new Set([...Object.keys(properties), ...parts.flatMap(propertiesOf)])]
}

/** Sends each request, and returns how many were refused. */
async function refusalsOf(requests: readonly HostileRequest[]): Promise<number> {
  let refused = 0
  for (const { method, path, ...call } of requests) {
    const what = `${method} ${path.slice(0, 120)} ${String(call.body).slice(0, 60)}`
    const { status, text, headers } = await server.call(method, path, call)
    expect([what, status]).not.toEqual([what, 500])
    if (status < 400) continue
    refused += 1
    const echoed = (text + Object.values(headers).join("")).match(/x{50,}|y{50,}/g) ?? []
    expect([what, echoed.join("").length]).toEqual([what, expect.toSatisfy((length: number) => length <= 1600)])
    expect([what, text.length]).toEqual([what, expect.toSatisfy((length: number) => length < 6000)])
  }
  return refused
}

it("Every route repeats at most a few hundred bytes of any part of its URL", verifies("errors.bounded"), async () => {
  const requests = operations().flatMap(({ method, path, operation: { parameters = [] } }): HostileRequest[] => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name)
    const inPath = names.map((name) => ({ method, path: addressOf(path, { [name]: SHORT }) }))
    const inQuery = parameters
      .filter((parameter) => parameter.in === "query")
      .flatMap(({ name }) =>
        [
          `${name}=${SHORT}`,
          `${name}[${SHORT}]=1`,
          `${name}[name]=${SHORT}`,
          `${name}=${encodeURIComponent(`{"${SHORT}":1}`)}`,
        ].map((query) => ({ method, path: `${addressOf(path)}?${query}` })),
      )
    return [...inPath, ...inQuery]
  })
  expect(requests.length).toBeGreaterThan(300)
  expect(await refusalsOf(requests)).toBeGreaterThan(250)
})

it("Every route repeats at most a few hundred bytes of any field of its body", verifies("errors.bounded"), async () => {
  const requests = operations().flatMap(({ method, path, operation }): HostileRequest[] => {
    const schema = operation.requestBody?.content["application/json"]?.schema
    if (schema === undefined) return []
    const of = (body: string): HostileRequest => ({ method, path: addressOf(path), body, headers: JSON_TYPE })
    const values = [LONG, SHORT, { [LONG]: LONG }]
    return [
      of(`{"name":"${LONG}`),
      of(`[${LONG}]`),
      ...[LONG, [LONG], { [LONG]: LONG }].map((body) => of(JSON.stringify(body))),
      ...propertiesOf(schema).flatMap((name) => values.map((value) => of(JSON.stringify({ [name]: value })))),
    ]
  })
  expect(requests.length).toBeGreaterThan(300)
  expect(await refusalsOf(requests)).toBeGreaterThan(250)
})
