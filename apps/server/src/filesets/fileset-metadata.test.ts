import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`
const at = (...keys: string[]) => ["body", "metadata", ...keys]

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  expect((await create("good", {})).status).toBe(200)
})
afterAll(() => server[Symbol.asyncDispose]())

const create = (name: string, metadata: object) => server.call("POST", BASE, { json: { name, metadata } })
const update = (name: string, metadata: object | null) =>
  server.call("PATCH", `${BASE}/${name}`, { json: { metadata } })

describe("the metadata of a fileset", () => {
  it("is stored unchanged if it is valid", async () => {
    const metadata = {
      dataset: {
        schema: "row",
        schema_defs: { row: { type: "object", properties: { next: { $ref: "#/schema_defs/row" } } } },
        schemas_by_path: { "old/*.csv": { type: "object" } },
        enforce: "warn",
      },
      model: { tool_calling: { chat_template: "{% for m in messages %}{{ m.content }}{% endfor %}" } },
    }
    expect((await create("described", metadata)).json.metadata).toEqual(metadata)
    expect((await update("good", metadata)).json.metadata).toEqual(metadata)
    expect((await update("good", null)).json.metadata).toEqual({})
  })

  it.each([
    [{ dataset: { schema: "none" } }, at("dataset", "schema"), "unknown_schema"],
    [{ dataset: { schema: { type: "text" } } }, at("dataset", "schema"), "invalid_schema"],
    [
      { dataset: { schema_defs: { a: { $ref: "https://example.com/a" } } } },
      at("dataset", "schema_defs", "a"),
      "invalid_schema",
    ],
    [{ dataset: { schemas_by_path: { "a/*": "none" } } }, at("dataset", "schemas_by_path", "a/*"), "unknown_schema"],
    [{ dataset: { schemas_by_path: { "../a": {} } } }, at("dataset", "schemas_by_path", "../a"), "bad_path"],
    [
      { model: { tool_calling: { chat_template: "{% if %}" } } },
      at("model", "tool_calling", "chat_template"),
      "invalid_chat_template",
    ],
  ])(
    "returns 422 with the location of the wrong key, on create and on update: %j",
    verifies("contents.metadata.route", "contents.metadata.loc"),
    async (metadata, loc, type) => {
      for (const answer of [await create("bad", metadata), await update("good", metadata)]) {
        expect(answer.status).toBe(422)
        expect(answer.json.detail).toMatchObject([{ loc, type }])
      }
      expect((await server.call("GET", `${BASE}/bad`)).status).toBe(404)
      expect((await server.call("GET", `${BASE}/good`)).json.metadata).toEqual({})
    },
  )

  it("must name an existing plugin if the operator allows plugins", async () => {
    await using allowing = await startTestServer({ ASSAY_ALLOW_PLUGINS: "true" })
    const make = (name: string, tool_call_plugin: string) =>
      allowing.call("POST", BASE, { json: { name, metadata: { model: { tool_calling: { tool_call_plugin } } } } })
    const loc = at("model", "tool_calling", "tool_call_plugin")
    expect((await make("a", "default/plugin")).json.detail).toMatchObject([{ loc, type: "unknown_plugin" }])
    await allowing.call("POST", BASE, { json: { name: "plugin" } })
    expect((await make("a", "default/plugin")).json.detail).toMatchObject([{ loc, type: "unknown_plugin" }])
    await allowing.call("PUT", `${BASE}/plugin/-/parser.py`, { body: "" })
    expect((await make("a", "default/plugin")).status).toBe(200)
    expect((await create("dropped-later", { model: { tool_calling: { tool_call_plugin: "no/where" } } })).status).toBe(
      200,
    )
  })
})
