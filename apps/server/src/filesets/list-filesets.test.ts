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

  it("includes the number of files and bytes if they are asked for", verifies("filesets.usage"), async () => {
    await server.call("PUT", `${FILES}/listing/filesets/alpha/-/a.txt`, { body: "12345" })
    const { json } = await list("?include=usage&sort=name&page_size=2")
    expect(json.data.map(({ usage }: { usage: unknown }) => usage)).toEqual([
      { files: 0, bytes: 0 },
      { files: 1, bytes: 5 },
    ])
    expect((await list("/alpha?include=usage")).json.usage).toEqual({ files: 1, bytes: 5 })
    expect((await list("/alpha")).json).not.toHaveProperty("usage")
    expect((await list("?include=size")).status).toBe(422)
  })

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
