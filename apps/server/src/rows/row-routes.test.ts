import { request as httpRequest } from "node:http"
import { gzipSync } from "node:zlib"
import { type FakeObjstore, startFakeHub, startFakeObjstore, verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { createTokens } from "../testing/create-tokens.ts"
import { FILES, SECRETS, startTestServer, type Call, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`
const SCHEMA = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] }
const SECRET = "opens/the/buckets+of/the/test"

let server: TestServer
let objstore: FakeObjstore
let tokens: ReadonlyMap<string, string>
beforeAll(async () => {
  objstore = await startFakeObjstore({ accessKeyId: "AKIDOPENSTHEBUCKETS", secretAccessKey: SECRET })
  // No cache, because it would continue to fetch a file by itself.
  server = await startTestServer({ ASSAY_AUTH: "tokens", ASSAY_ALLOWED_HOSTS: "127.0.0.1", ASSAY_CACHE_MAX_BYTES: "0" })
  tokens = await createTokens(server, {
    admin: [{ workspace: "default", role: "admin" }],
    viewer: [{ workspace: "default", role: "viewer" }],
  })
  await create("local", {})
  for (const [path, body] of Object.entries({
    "train/a.jsonl": '{"id":1}\n{"id":"x"}\n\n{"id":3}\nnot json\n',
    "train/b.csv": "id,name\n1,ä\n,b\n",
    "train/c.jsonl.gz": gzipSync('{"id":1,"tag":null}\n{"id":2}\n'),
    "other/d.json": '[{"id":"no schema"}]',
    "other/readme.txt": "no rows",
  })) {
    expect((await as("admin", "PUT", `${BASE}/local/-/${path}`, { body })).status).toBe(200)
  }
  for (const [name, value] of [
    ["store-id", "AKIDOPENSTHEBUCKETS"],
    ["store-key", SECRET],
  ]) {
    await as("admin", "POST", `${SECRETS}/default/secrets`, { json: { name, value } })
  }
  objstore.write("set/rows.jsonl", Buffer.from('{"id":1}\n{"id":null}\n'))
  const storage = {
    type: "objstore",
    bucket: objstore.bucket,
    prefix: "set",
    region: objstore.region,
    endpoint_url: objstore.endpoint,
    access_key_id_secret: "store-id",
    secret_access_key_secret: "store-key",
  }
  await create("remote", { storage }, "reject")
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  await objstore.close()
})

const as = (who: string, method: string, path: string, options: Call = {}) =>
  server.call(method, path, { ...options, headers: { authorization: `Bearer ${tokens.get(who)}`, ...options.headers } })
const view = (method: string, path: string) => as("viewer", method, `${BASE}/${path}`)

async function create(name: string, more: object, enforce = "off"): Promise<void> {
  const metadata = { dataset: { schemas_by_path: { "train/**": SCHEMA, "rows.*": SCHEMA }, enforce } }
  const made = await as("admin", "POST", BASE, { json: { name, metadata, ...more } })
  expect(made.json).toMatchObject({ name, metadata })
}

describe("validation of a fileset", () => {
  it(
    "reports rows and issues of each file, and files without a schema",
    verifies("contents.validate.route", "contents.validate.report"),
    async () => {
      const { status, json } = await view("POST", "local/validate")
      expect(status).toBe(200)
      expect(json).toMatchObject({ rows: 9, valid: 6, invalid: 3, without_schema: ["other/d.json"] })
      const shown = json.files.map(
        (file: { path: string; issues: { line: number; offset: number; pointer: string }[] }) => [
          file.path,
          file.issues.map(({ line, offset, pointer }) => [line, offset, pointer]),
        ],
      )
      expect(shown).toEqual([
        ["other/d.json", []],
        [
          "train/a.jsonl",
          [
            [2, 9, "/id"],
            [5, 30, ""],
          ],
        ],
        ["train/b.csv", [[3, 13, ""]]],
        ["train/c.jsonl.gz", []],
      ])
    },
  )

  it("can be limited to one file or folder, and lists at most max_issues issues", async () => {
    const one = await view("POST", "local/validate?path=train/a.jsonl&max_issues=1")
    expect(one.json.files).toMatchObject([{ path: "train/a.jsonl", invalid: 2, issues_truncated: true }])
    expect(one.json.files[0].issues).toHaveLength(1)
    expect((await view("POST", "local/validate?path=other")).json.rows).toBe(1)
  })

  it("works for remote storage", async () => {
    const { json } = await view("POST", "remote/validate")
    expect(json).toMatchObject({ rows: 2, valid: 1, invalid: 1, files: [{ issues: [{ line: 2, pointer: "/id" }] }] })
  })

  it("is refused for files without rows, and for callers who may not see the fileset", async () => {
    for (const [path, status, code] of [
      ["local/validate?path=other/readme.txt", 400, "not_a_row_file"],
      ["local/validate?path=none.jsonl", 404, "not_found"],
      ["local/validate?path=../train", 400, "bad_path"],
      ["none/validate", 404, "not_found"],
    ] as const) {
      const answer = await view("POST", path)
      expect([answer.status, answer.json.code]).toEqual([status, code])
    }
    const many = await view("POST", "local/validate?max_issues=1001")
    expect([many.status, many.json.detail[0].loc]).toEqual([422, ["query", "max_issues"]])
    expect((await server.call("POST", `${BASE}/local/validate`)).status).toBe(401)
  })
})

describe("a page of rows", () => {
  it("has only the rows that match filters by column", verifies("contents.page.filter"), async () => {
    const found = await view("GET", "local/rows?path=train/a.jsonl&filter[id][$gte]=2&limit=1")
    expect(found.json).toMatchObject({ data: [{ row_index: 2, row: { id: 3 } }], total: 4, next_offset: 3, scanned: 3 })
    const rest = await view("GET", "local/rows?path=train/a.jsonl&filter[id][$gte]=2&offset=3")
    expect(rest.json).toMatchObject({ data: [], next_offset: null, scanned: 1 })
    const refused = await view("GET", "local/rows?path=train/a.jsonl&filter[id][$near]=2")
    expect([refused.status, refused.json.code]).toEqual([400, "bad_filter"])
  })

  it(
    "contains each row with its line and issues, and the offset of the next page",
    verifies("contents.page.route", "contents.page.rows"),
    async () => {
      const first = await view("GET", "local/rows?path=train/a.jsonl&limit=2")
      expect(first.json).toEqual({
        data: [
          { row_index: 0, line: 1, row: { id: 1 }, issues: [] },
          { row_index: 1, line: 2, row: { id: "x" }, issues: [{ pointer: "/id", message: expect.any(String) }] },
        ],
        total: 4,
        next_offset: 2,
      })
      const rest = await view("GET", "local/rows?path=train/a.jsonl&offset=2")
      expect(rest.json).toMatchObject({ data: [{ line: 4 }, { line: 5, row: null }], next_offset: null })
      expect((await view("GET", "local/rows?path=train/b.csv")).json.data[0].row).toEqual({ id: 1, name: "ä" })
      expect((await view("GET", "local/rows?path=train/c.jsonl.gz&offset=1")).json.data[0].row).toEqual({ id: 2 })
      expect((await view("GET", "remote/rows?path=rows.jsonl")).json.total).toBe(2)
    },
  )

  it.each(["", "?path=a.jsonl&limit=0", "?path=a.jsonl&limit=1001", "?path=a.jsonl&offset=-1"])(
    "is refused for the query '%s'",
    async (query) => {
      expect((await view("GET", `local/rows${query}`)).status).toBe(422)
    },
  )

  it("is refused for an invalid path and for a file without rows", async () => {
    expect((await view("GET", "local/rows?path=../a.jsonl")).json.code).toBe("bad_path")
    expect((await view("GET", "local/rows?path=other/readme.txt")).json.code).toBe("not_a_row_file")
    expect((await view("GET", "local/rows?path=none.jsonl")).status).toBe(404)
  })
})

describe("a summary of rows", () => {
  it("infers a schema that the first rows satisfy", verifies("contents.infer.route"), async () => {
    const { status, json } = await view("POST", "local/infer-schema?path=train/c.jsonl.gz")
    expect(status).toBe(200)
    expect(json).toMatchObject({
      $schema: expect.stringContaining("2020-12"),
      type: "object",
      properties: { id: { type: "integer" }, tag: { type: "null" } },
      required: ["id"],
    })
    const first = await view("POST", "local/infer-schema?path=train/c.jsonl.gz&rows=1")
    expect(first.json.required).toEqual(["id", "tag"])
    expect((await view("POST", "remote/infer-schema")).json.required).toEqual(["id"])
    expect((await view("POST", "local/infer-schema?rows=0")).status).toBe(422)
  })

  it("profiles each column", verifies("contents.profile.route"), async () => {
    const { status, json } = await view("GET", "local/profile?path=train/c.jsonl.gz")
    expect(status).toBe(200)
    expect(json.files).toEqual([{ path: "train/c.jsonl.gz", rows: 2, unreadable: 0 }])
    expect(json.columns).toMatchObject([
      { pointer: "/id", types: { integer: 2 }, missing: 0, min: 1, max: 2, lengths: null },
      { pointer: "/tag", types: { null: 1 }, missing: 1 },
    ])
    expect((await view("GET", "remote/profile")).json.files[0].rows).toBe(2)
  })
})

it("Invalid rows are also refused on uploads to remote storage", async () => {
  const before = objstore.objects()
  const refused = await as("admin", "PUT", `${BASE}/remote/-/rows.csv`, { body: "id\n1\nx\n" })
  expect([refused.status, refused.json.detail[0].ctx.line]).toEqual([422, 3])
  expect(objstore.objects()).toEqual(before)
  expect((await as("admin", "PUT", `${BASE}/remote/-/rows.csv`, { body: "id\n1\n" })).status).toBe(200)
})

describe("a client that disconnects", () => {
  it("ends the read of its request", async () => {
    const rows = Buffer.alloc(4_000_000, '{"id":1}\n')
    const hub = await startFakeHub({ repositories: [{ id: "team/rows", files: { "rows.jsonl": rows } }] })
    onTestFinished(() => hub.close())
    await create("stalled", { storage: { type: "hub", repo_id: "team/rows", endpoint: hub.url } })
    hub.faults.add({ when: ({ operation }) => operation === "resolve", fault: { kind: "stall", after: 1000 } })
    const headers = { authorization: `Bearer ${tokens.get("viewer")}` }
    const request = httpRequest(`${server.url}${BASE}/stalled/validate`, { method: "POST", agent: false, headers })
    request.on("error", () => {})
    request.end()
    await expect.poll(() => hub.countOpenAnswers()).toBe(1)
    request.destroy()
    await expect.poll(() => hub.countOpenAnswers()).toBe(0)
    expect(server.log()).not.toContain('"code":"internal"')
  })
})
