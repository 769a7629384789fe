import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`
const BIG = "1234567890123456789"

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const send = (method: string, path: string, body: string) =>
  server.call(method, path, { body, headers: { "content-type": "application/json" } })

describe("numbers of users in a fileset", () => {
  it("keep all of their digits in custom fields and schemas", verifies("contents.schemas.numbers"), async () => {
    const fields = '{"id":9007199254740993,"price":1.50,"list":[{"n":12345678901234567890}]}'
    const metadata = `{"dataset":{"schema":{"properties":{"id":{"const":${BIG}}}}}}`
    const body = `{"name":"exact","purpose":"dataset","custom_fields":${fields},"metadata":${metadata}}`
    expect((await send("POST", BASE, body)).text).toContain(`"custom_fields":${fields}`)
    const { text } = await server.call("GET", `${BASE}/exact`)
    expect(text).toContain(`"custom_fields":${fields}`)
    expect(text).toContain(`"metadata":${metadata}`)
    expect((await server.call("GET", BASE)).text).toContain(`"custom_fields":${fields}`)
    for (const [query, total] of [
      ["filter[custom_fields.id]=9007199254740993", 1],
      ["filter[custom_fields.id]=9007199254740992", 0],
      ["filter[custom_fields.price]=1.5", 1],
      [`filter=${encodeURIComponent('{"custom_fields.id":{"$lt":9007199254740993}}')}`, 0],
      ["filter[custom_fields.id][$lt]=1e400", 1],
    ] as const) {
      const { json, text } = await server.call("GET", `${BASE}?${query}`)
      expect(json.pagination.total_results, text).toBe(total)
    }
    expect(
      (await server.call("GET", `${BASE}?filter=${encodeURIComponent('{"custom_fields.id":9007199254740993}')}`)).text,
    ).toContain('"custom_fields.id":9007199254740993')
    await send("PATCH", `${BASE}/exact`, '{"description":"changed"}')
    expect((await server.call("GET", `${BASE}/exact`)).text).toContain(`"custom_fields":${fields}`)
    await server.call("PUT", `${BASE}/exact/-/a.jsonl`, { body: `{"id":${BIG}}\n{"id":1234567890123456788}\n` })
    const report = await server.call("POST", `${BASE}/exact/validate`)
    expect(report.json).toMatchObject({ rows: 2, invalid: 1, files: [{ issues: [{ line: 2 }] }] })
    expect(report.text).toContain(`must be ${BIG}; it is 1234567890123456788`)
  })

  it("are refused if they can't be kept", async () => {
    const { status, json } = await send("POST", BASE, '{"name":"huge","custom_fields":{"a":1e400}}')
    expect(status).toBe(422)
    const message = expect.stringMatching(/^The number 1e400 can't be kept, write it as text/)
    expect(json.detail).toMatchObject([{ loc: ["body", 36], msg: message, type: "number_out_of_range" }])
  })
})
