import { verifies } from "@assay/testkit"
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
      // Optional keys are sent as null or their default, empty bodies have a JSON content type, brackets have no `$`.
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
