import { verifies } from "@assay/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ENTITIES, FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const create = (json: object, workspace = "default") => server.call("POST", `${FILES}/${workspace}/filesets`, { json })
const newWorkspace = (name: string) => server.call("POST", ENTITIES, { json: { name } })

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
      const places = async (storage: object) =>
        (await create({ name: "a", storage })).json.detail.map(({ loc }: { loc: string[] }) => loc.at(-1))
      expect(await places({ type: "catalog" })).toEqual(["org", "team", "target", "api_key_secret"])
      expect(await places({ type: "objstore" })).toEqual(["bucket"])
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
    expect([form.status, form.json.code]).toEqual([415, "unsupported_media"])
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

describe("GET of a fileset", () => {
  it(
    "returns the fileset of the workspace in the path",
    verifies("filesets.get.route", "brief.filesets-in-workspaces"),
    async () => {
      await newWorkspace("elsewhere")
      const here = (await create({ name: "shared-name" })).json
      const there = (await create({ name: "shared-name" }, "elsewhere")).json
      expect(there.id).not.toBe(here.id)
      const got = await server.call("GET", `${BASE}/shared-name`)
      expect([got.status, got.json]).toEqual([200, here])
      expect((await server.call("GET", `${FILES}/elsewhere/filesets/shared-name`)).json).toEqual(there)
    },
  )

  it(
    "accepts requests in the form of the platform's published clients",
    verifies("clients.published-sdk"),
    async () => {
      // Every optional key spelled out as null or its default, JSON types on bodies that are empty, brackets without `$`.
      const headers = {
        accept: "application/json",
        "content-type": "application/json",
        "x-stainless-lang": "python",
        authorization: "Bearer not-needed",
      }
      const body = {
        name: "from-sdk",
        description: "",
        purpose: "dataset",
        storage: null,
        metadata: {},
        custom_fields: {},
        project: "",
        cache: false,
      }
      expect((await server.call("POST", BASE, { json: body, headers })).status).toBe(200)
      const query = "?page=1&page_size=10&sort=-created_at&filter%5Bpurpose%5D=dataset&filter%5Bname%5D=from-sdk"
      const { json } = await server.call("GET", `${BASE}${query}`, { headers })
      expect(json.data.map(({ name }: { name: string }) => name)).toEqual(["from-sdk"])
      const put = await server.call("PUT", `${BASE}/from-sdk/-/a%2Fb.txt`, {
        body: "x",
        headers: { ...headers, "content-type": "application/octet-stream" },
      })
      expect(put.json.file_ref).toBe("default/from-sdk#a/b.txt")
      const files = await server.call("GET", `${BASE}/from-sdk/files?include_cache_status=false`, { headers })
      expect(files.json.data).toHaveLength(1)
      expect((await server.call("GET", put.json.file_url, { headers })).text).toBe("x")
      expect((await server.call("DELETE", `${BASE}/from-sdk`, { headers })).json.name).toBe("from-sdk")
    },
  )
})

describe("PATCH and DELETE of a fileset", () => {
  it(
    "replaces the given keys and leaves the others",
    verifies("filesets.update.route", "filesets.update.fields", "filesets.update.replaces-whole"),
    async () => {
      await create({ name: "changing", description: "old", custom_fields: { a: 1, b: 2 }, project: "p" })
      const answer = await server.call("PATCH", `${BASE}/changing`, {
        json: { custom_fields: { c: 3 }, purpose: "model", metadata: { model: {} } },
      })
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({ description: "old", project: "p", purpose: "model", metadata: { model: {} } })
      expect(answer.json.custom_fields).toEqual({ c: 3 })
    },
  )

  it(
    "clears a field that is null, except the purpose",
    verifies("filesets.update.null-empties", "filesets.update.null-purpose"),
    async () => {
      await create({
        name: "emptied",
        description: "old",
        custom_fields: { a: 1 },
        project: "p",
        metadata: { model: {} },
      })
      const nothing = { description: null, project: null, metadata: null, custom_fields: null }
      expect((await server.call("PATCH", `${BASE}/emptied`, { json: nothing })).json).toMatchObject({
        description: "",
        project: "",
        metadata: {},
        custom_fields: {},
      })
      const purpose = await server.call("PATCH", `${BASE}/emptied`, { json: { purpose: null } })
      expect([purpose.status, purpose.json.detail[0].loc]).toEqual([422, ["body", "purpose"]])
    },
  )

  it("reports errors only of the intended branch of metadata", verifies("errors.invalid-request"), async () => {
    await create({ name: "branches" })
    const answer = await server.call("PATCH", `${BASE}/branches`, {
      json: { metadata: { model: { tool_calling: { auto_tool_choice: "yes" } } } },
    })
    expect(answer.json.detail).toEqual([
      {
        loc: ["body", "metadata", "model", "tool_calling", "auto_tool_choice"],
        msg: "Must be boolean",
        type: "bool_type",
        input: "yes",
        ctx: { type: "boolean" },
      },
    ])
  })

  it("refuses a change of the storage", verifies("filesets.update.storage-fixed"), async () => {
    await create({ name: "fixed" })
    const { status, json } = await server.call("PATCH", `${BASE}/fixed`, {
      json: { storage: { type: "local", path: "/x" } },
    })
    expect([status, json.detail[0].type, json.detail[0].loc[1]]).toEqual([422, "extra_forbidden", "storage"])
  })

  it("renames a fileset unless the name is taken or invalid", verifies("filesets.rename"), async () => {
    const { json: made } = await create({ name: "before" })
    const patch = (name: unknown) => server.call("PATCH", `${BASE}/before`, { json: { name, description: "moved" } })
    await create({ name: "other" })
    const taken = await patch("other")
    expect([taken.status, taken.json.code]).toEqual([409, "already_exists"])
    for (const name of ["a/b", "..", "", null]) expect((await patch(name)).status).toBe(422)
    expect((await server.call("GET", `${BASE}/before`)).json.description).toBe("")
    expect((await patch("after")).json).toMatchObject({ id: made.id, name: "after", description: "moved" })
    expect((await server.call("GET", `${BASE}/before`)).status).toBe(404)
    expect((await patch("again")).status).toBe(404)
  })

  it(
    "returns the deleted record, also to a request with a JSON content type and no body",
    verifies("filesets.delete.answers-record", "clients.delete-empty-json", "errors.fileset-missing", "errors.body"),
    async () => {
      await create({ name: "gone" })
      const answer = await server.call("DELETE", `${BASE}/gone`, { headers: { "content-type": "application/json" } })
      expect([answer.status, answer.json.name]).toEqual([200, "gone"])
      const missing = await server.call("GET", `${BASE}/gone`)
      expect([missing.status, missing.json]).toEqual([
        404,
        { detail: "Fileset 'gone' not found in workspace 'default'", code: "not_found" },
      ])
    },
  )

  it(
    "deletes the bytes too, so that a new fileset with the same name is empty",
    verifies("filesets.delete.answers-record"),
    async () => {
      await create({ name: "reborn" })
      await server.call("PUT", `${BASE}/reborn/-/old.txt`, { body: "old" })
      await server.call("DELETE", `${BASE}/reborn`)
      await create({ name: "reborn" })
      expect((await server.call("GET", `${BASE}/reborn/files`)).json).toEqual({ data: [] })
    },
  )
})

describe("the list of filesets", () => {
  beforeAll(async () => {
    await newWorkspace("listing")
    for (const [name, purpose] of [
      ["alpha", "dataset"],
      ["beta", "model"],
      ["Gamma", "dataset"],
    ] as const) {
      await create({ name, purpose, description: `the ${name} set` }, "listing")
    }
  })
  const list = (query: string) => server.call("GET", `${FILES}/listing/filesets${query}`)
  const names = async (query: string) => (await list(query)).json.data.map(({ name }: { name: string }) => name)

  it(
    "is a page with all five integers and the sort",
    verifies(
      "filesets.list.route",
      "filesets.list.pagination",
      "filesets.list.echo-sort",
      "filesets.list.default-sort",
      "brief.list.route",
      "brief.list.defaults",
      "brief.list.one-workspace",
      "brief.page.fields",
      "brief.page.pagination",
    ),
    async () => {
      const { status, json } = await list("")
      expect(status).toBe(200)
      expect(json.pagination).toEqual({
        page: 1,
        page_size: 10,
        current_page_size: 3,
        total_pages: 1,
        total_results: 3,
      })
      expect(json.sort).toBe("-created_at")
      expect(json.filter).toBeUndefined()
      expect(json.data.map(({ name }: { name: string }) => name)).toEqual(["Gamma", "beta", "alpha"])
    },
  )

  it(
    "is sorted and paginated",
    verifies(
      "filesets.list.sort",
      "filesets.list.page",
      "filesets.list.page-size",
      "filesets.list.page-past-end",
      "filesets.list.name-by-code-point",
    ),
    async () => {
      expect(await names("?sort=name")).toEqual(["Gamma", "alpha", "beta"])
      expect(await names("?sort=-name")).toEqual(["beta", "alpha", "Gamma"])
      expect(await names("?sort=created_at&page_size=2&page=2")).toEqual(["Gamma"])
      const past = await list("?page=9&page_size=2")
      expect([past.status, past.json.data, past.json.pagination.total_pages]).toEqual([200, [], 2])
      for (const query of ["?page=0", "?page_size=0", "?page_size=101", "?page=x", "?sort=size"]) {
        const answer = await list(query)
        expect([query, answer.status, answer.json.detail[0].loc[0]]).toEqual([query, 422, "query"])
      }
    },
  )

  it(
    "accepts the three forms of a filter alike and returns one form",
    verifies("filesets.list.echo-filter", "brief.filter.purpose", "brief.filter.name", "clients.spaces-in-queries"),
    async () => {
      const forms = [
        "filter[purpose]=dataset&filter[name][$like]=ALP",
        "filter%5Bpurpose%5D=dataset&filter%5Bname%5D%5Blike%5D=ALP",
        `filter=${encodeURIComponent('{"purpose":"dataset","name":{"$like":"ALP"}}')}`,
        `filter=${encodeURIComponent('purpose:"dataset" AND name~"ALP"')}`,
        `filter=${encodeURIComponent('purpose:"dataset" name~"ALP"').replaceAll("%20", "+")}`,
      ]
      for (const form of forms) {
        const { json } = await list(`?${form}`)
        expect([form, json.data.length, json.filter]).toEqual([form, 1, { purpose: "dataset", name: { $like: "ALP" } }])
      }
      expect(await names("?filter[description]=the+beta%20set")).toEqual(["beta"])
    },
  )

  it(
    "accepts vendors' names of storage types in filters",
    verifies("wire.vendor-names.storage", "brief.filter.storage-type"),
    async () => {
      expect((await list("?filter[storage_type]=s3")).json.filter).toEqual({ storage_type: "objstore" })
      expect(await names("?filter[storage_type]=local")).toHaveLength(3)
    },
  )

  it(
    "describes the error in a filter",
    verifies("brief.list.invalid", "filter.unknown-field", "filter.wrong-type"),
    async () => {
      const unknown = await list("?filter[size]=5")
      expect([unknown.status, unknown.json.code]).toEqual([400, "unknown_filter_field"])
      expect(unknown.json.detail).toMatch(/^Unknown filter field 'size'\. Valid fields: \[/)
      const wrong = await list("?filter[purpose]=other")
      expect([wrong.status, wrong.json.detail[0].loc]).toEqual([422, ["query", "filter", "purpose"]])
      expect((await list("?filter={")).json.code).toBe("bad_filter")
    },
  )

  it("contains filesets of all workspaces under `-`", verifies("filesets.list.all-workspaces"), async () => {
    const { json } = await server.call("GET", `${FILES}/-/filesets?filter[name]=Gamma`)
    expect(json.data.map(({ workspace }: { workspace: string }) => workspace)).toEqual(["listing"])
  })

  it(
    "accepts any Accept header and a GET with an empty JSON object",
    verifies("clients.any-accept", "brief.list.empty-object-body"),
    async () => {
      expect((await server.call("GET", BASE, { headers: { accept: "text/csv" } })).status).toBe(200)
      expect((await server.call("GET", BASE, { json: {} })).status).toBe(200)
    },
  )

  it("returns 404 for an unknown workspace", verifies("errors.workspace-missing"), async () => {
    const answer = await server.call("GET", `${FILES}/nowhere/filesets`)
    expect([answer.status, answer.json]).toEqual([404, { detail: "Workspace 'nowhere' not found", code: "not_found" }])
  })
})
