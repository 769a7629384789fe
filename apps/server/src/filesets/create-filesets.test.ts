import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const create = (json: object, workspace = "default") => server.call("POST", `${FILES}/${workspace}/filesets`, { json })

describe("POST of a fileset", () => {
  it(
    "returns 200 with a record that has every field",
    verifies(
      "filesets.create.status-200",
      "filesets.shape.complete",
      "filesets.create.purpose-default",
      "filesets.create.default-storage",
      "brief.fileset.fields",
      "wire.fileset-id",
      "wire.timestamps",
      "wire.snake-case",
      "storage.default.local",
      "brief.storage.read-chunk-size",
      "brief.storage.local.write-buffer-size",
    ),
    async () => {
      const answer = await create({ name: "plain" })
      expect(answer.status).toBe(200)
      expect(answer.json).toEqual({
        id: expect.stringMatching(/^fileset-[1-9A-HJ-NP-Za-km-z]{16,22}$/),
        name: "plain",
        workspace: "default",
        description: "",
        purpose: "generic",
        storage: {
          type: "local",
          path: expect.stringMatching(/filesets\/default\/plain$/),
          read_chunk_size: 1_048_576,
          write_buffer_size: 16_777_216,
        },
        metadata: {},
        custom_fields: {},
        project: "",
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updated_at: answer.json.created_at,
      })
      expect((await create({ name: "null-storage", storage: null })).json.storage.path).toMatch(
        /filesets\/default\/null-storage$/,
      )
    },
  )

  it(
    "returns the given values",
    verifies(
      "filesets.create.keeps-what-is-given",
      "brief.fileset.custom-fields",
      "brief.metadata.keys",
      "brief.metadata.schema",
      "brief.metadata.schema-defs",
      "brief.metadata.schemas-by-path",
      "brief.metadata.tool-calling",
    ),
    async () => {
      const body = {
        name: "full",
        description: "Reviews",
        project: "p",
        purpose: "dataset",
        metadata: {
          dataset: {
            schema: "row",
            schema_defs: { row: { type: "object" } },
            schemas_by_path: { "a.csv": { type: "object" }, "b.csv": "row" },
          },
          model: {
            tool_calling: {
              chat_template: "{{ x }}",
              tool_call_parser: "hermes",
              tool_call_plugin: "default/plugin",
              auto_tool_choice: true,
            },
          },
        },
        custom_fields: { team: "a", n: 1.5, deep: { list: [1, "2", null, { x: true }] }, none: null, "": "empty key" },
      }
      expect((await create(body)).json).toMatchObject(body)
      const { json } = await server.call("GET", `${BASE}/full`)
      expect(json).toMatchObject(body)
    },
  )

  it.each([
    [{}, ["body", "name"], "missing"],
    [{ name: "a b" }, ["body", "name"], "string_pattern_mismatch"],
    [{ name: ".." }, ["body", "name"], "string_pattern_mismatch"],
    [{ name: "x".repeat(256) }, ["body", "name"], "string_too_long"],
    [{ name: 5 }, ["body", "name"], "string_type"],
    [{ name: "a", description: "x".repeat(1001) }, ["body", "description"], "string_too_long"],
    [{ name: "a", purpose: "other" }, ["body", "purpose"], "enum"],
    [{ name: "a", purpos: "model" }, ["body", "purpos"], "extra_forbidden"],
    [{ name: "a", metadata: { datasets: {} } }, ["body", "metadata", "datasets"], "extra_forbidden"],
    [
      { name: "a", metadata: { model: { tool_calling: { tool_call_plugin: "no-slash" } } } },
      ["body", "metadata", "model", "tool_calling", "tool_call_plugin"],
      "string_pattern_mismatch",
    ],
    [{ name: "a", custom_fields: [] }, ["body", "custom_fields"], "dict_type"],
    [{ name: "a", storage: { type: "other" } }, ["body", "storage", "type"], "union_tag_invalid"],
    [{ name: "a", storage: { type: "local" } }, ["body", "storage", "path"], "missing"],
    [{ name: "a", storage: { path: 5 } }, ["body", "storage", "path"], "string_type"],
    [{ name: "a", storage: { type: "hub" } }, ["body", "storage", "repo_id"], "missing"],
    [{ name: "a", storage: { type: "hub", repo_id: "a/b", repo_type: "x" } }, ["body", "storage", "repo_type"], "enum"],
    [
      { name: "a", storage: { type: "objstore", bucket: "b", signature_version: "v3" } },
      ["body", "storage", "signature_version"],
      "enum",
    ],
  ])(
    "refuses %j with exactly one location",
    verifies(
      "filesets.create.name-required",
      "filesets.create.name",
      "filesets.create.description-limit",
      "brief.fileset.purpose",
      "requests.unknown-keys",
      "brief.storage.discriminated",
      "brief.storage.local.type",
      "brief.storage.local.path",
      "brief.storage.hub.required",
      "brief.storage.hub.repo-type",
      "brief.storage.objstore.signature",
      "errors.invalid-request",
      "brief.metadata.tool-call-plugin",
    ),
    async (body, loc, type) => {
      const answer = await create(body)
      expect(answer.status).toBe(422)
      expect(answer.json.detail).toHaveLength(1)
      expect(answer.json.detail[0]).toMatchObject({ loc, type, msg: expect.any(String) })
    },
  )

  it(
    "returns custom fields whose names have line breaks",
    verifies("filesets.create.keeps-what-is-given"),
    async () => {
      const custom_fields = { "a\nb": 1, "\u2028": { "c\rd": 2 }, "": 3 }
      const { status, json } = await server.call("POST", BASE, { json: { name: "line-breaks", custom_fields } })
      expect({ status, json }).toMatchObject({ status: 200, json: { custom_fields } })
    },
  )

  it(
    "names every missing field of a catalog configuration",
    verifies("brief.storage.catalog.required", "brief.storage.objstore.required"),
    async () => {
      const fieldsOf = async (storage: object) =>
        (await create({ name: "a", storage })).json.detail.map(({ loc }: { loc: string[] }) => loc.at(-1))
      expect(await fieldsOf({ type: "catalog" })).toEqual(["org", "team", "target", "api_key_secret"])
      expect(await fieldsOf({ type: "objstore" })).toEqual(["bucket"])
    },
  )

  it(
    "refuses a body that is not UTF-8, or in a coding, instead of storing other texts",
    verifies("requests.json-invalid"),
    async () => {
      const send = (body: Uint8Array, headers: Readonly<Record<string, string>> = {}) =>
        server.call("POST", BASE, { body, headers: { "content-type": "application/json", ...headers } })
      const latin = await send(Buffer.from('{"name": "latin", "description": "\u00e9"}', "latin1"))
      expect([latin.status, latin.json.detail[0]]).toEqual([
        422,
        { type: "json_invalid", loc: ["body"], msg: "The body is not UTF-8; JSON is sent as UTF-8" },
      ])
      expect((await send(Buffer.from('{"name": "coded"}'), { "content-encoding": "gzip" })).status).toBe(415)
    },
  )

  it("refuses a body that is not JSON", verifies("requests.json-invalid"), async () => {
    const answer = await server.call("POST", BASE, {
      body: '{"name": ',
      headers: { "content-type": "application/json" },
    })
    expect([answer.status, answer.json.detail[0].type]).toEqual([422, "json_invalid"])
    const nothing = await server.call("POST", BASE, { headers: { "content-type": "application/json" } })
    expect(nothing.json.detail[0]).toMatchObject({ loc: ["body"], type: "missing" })
    const form = await server.call("POST", BASE, {
      body: "name=a",
      headers: { "content-type": "application/x-www-form-urlencoded" },
    })
    expect([form.status, form.json]).toEqual([
      415,
      {
        code: "unsupported_media",
        detail:
          "This route takes a body of application/json; the Content-Type of this one is 'application/x-www-form-urlencoded'.",
      },
    ])
  })

  it(
    "refuses a taken name and an unknown workspace",
    verifies("errors.fileset-exists", "errors.create-in-missing-workspace"),
    async () => {
      await create({ name: "twice" })
      const again = await create({ name: "twice" })
      expect([again.status, again.json]).toEqual([
        409,
        { detail: "Fileset 'default/twice' already exists", code: "already_exists" },
      ])
      const nowhere = await create({ name: "x" }, "nowhere")
      expect(nowhere.status).toBe(422)
      expect(nowhere.json.detail[0].loc).toEqual(["path", "workspace"])
      expect(nowhere.json.detail[0].msg).toMatch(/^Workspace 'nowhere' does not exist/)
    },
  )

  it("refuses local paths outside the allowed folders", verifies("storage.local.roots"), async () => {
    const own = await create({ name: "own", storage: { type: "local", path: "/etc" } })
    expect([own.status, own.json.code]).toEqual([400, "storage_not_allowed"])
    expect((await server.call("GET", `${BASE}/own`)).status).toBe(404)
  })
})
