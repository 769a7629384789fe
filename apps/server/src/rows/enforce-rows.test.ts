import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { HUB_PREFIX } from "../hub/hub-address.ts"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets`
const SCHEMA = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] }
const GOOD = '{"id":1}\n{"id":2}\n'
const BAD = '{"id":1}\n{"id":"x"}\n'
const ISSUE = {
  loc: ["body", 1, "id"],
  msg: expect.any(String),
  type: "invalid_row",
  ctx: { line: 2, offset: 9, pointer: "/id" },
}

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  for (const enforce of ["reject", "warn", "off"]) {
    const metadata = { dataset: { schema: SCHEMA, enforce } }
    expect((await server.call("POST", BASE, { json: { name: enforce, metadata } })).status).toBe(200)
  }
})
afterAll(() => server[Symbol.asyncDispose]())

const put = (name: string, path: string, body: string | Uint8Array, headers = {}) =>
  server.call("PUT", `${BASE}/${name}/-/${path}`, { body, headers })
const get = (name: string, path: string) => server.call("GET", `${BASE}/${name}/-/${path}`)
const paths = async (name: string) =>
  (await server.call("GET", `${BASE}/${name}/files`)).json.data.map(({ path }: { path: string }) => path)

const multipart = (text: string) => ({
  headers: { "content-type": "multipart/form-data; boundary=x" },
  body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n${text}\r\n--x--\r\n`,
})

/** Sends a file in two pieces, as resumable clients do. Returns the last response and the URL of the upload. */
async function resumable(name: string, path: string, text: string) {
  const version = { "tus-resumable": "1.0.0" }
  const metadata = `path ${Buffer.from(path).toString("base64")}`
  const start = { ...version, "upload-length": String(text.length), "upload-metadata": metadata }
  const { headers } = await server.call("POST", `${BASE}/${name}/uploads`, { headers: start })
  const location = headers.location ?? ""
  const piece = (offset: number, body: string) => {
    const more = { "content-type": "application/offset+octet-stream", "upload-offset": String(offset) }
    return server.call("PATCH", location, { headers: { ...version, ...more }, body })
  }
  await piece(0, text.slice(0, 5))
  const answer = await piece(5, text.slice(5))
  return { answer, head: () => server.call("HEAD", location, { headers: version }) }
}

type Line = readonly [key: string, value: object]
const commit = (name: string, lines: readonly Line[]) =>
  server.call("POST", `${HUB_PREFIX}/api/datasets/default/${name}/commit/main`, {
    headers: { "content-type": "application/x-ndjson" },
    body: lines.map(([key, value]) => JSON.stringify({ key, value })).join("\n"),
  })
const file = (path: string, content: string): Line => ["file", { path, content, encoding: "utf-8" }]

describe("a fileset with enforce: reject", () => {
  it(
    "returns 422 with the location of each invalid row, and stores nothing",
    verifies("contents.upload.route", "contents.upload.refused"),
    async () => {
      const { body, headers } = multipart(BAD)
      for (const answer of [
        await put("reject", "bad/a.jsonl", BAD),
        await put("reject", "bad/b.jsonl.gz", gzipSync(BAD)),
        await put("reject", "bad/c.jsonl", body, headers),
      ]) {
        expect([answer.status, answer.json]).toEqual([422, { detail: [ISSUE] }])
      }
      expect((await paths("reject")).filter((path: string) => path.startsWith("bad/"))).toEqual([])
    },
  )

  it("keeps the existing file if an upload is refused", async () => {
    await put("reject", "kept.jsonl", GOOD)
    expect((await put("reject", "kept.jsonl", BAD)).status).toBe(422)
    expect((await get("reject", "kept.jsonl")).text).toBe(GOOD)
  })

  it("accepts valid rows, and files that contain no rows", async () => {
    const { body, headers } = multipart(GOOD)
    expect((await put("reject", "a.jsonl", GOOD)).status).toBe(200)
    expect((await put("reject", "b.jsonl", body, headers)).json.sha256).toBe(
      createHash("sha256").update(GOOD).digest("hex"),
    )
    expect((await put("reject", "c.txt", BAD)).headers["x-assay-invalid-rows"]).toBeUndefined()
    expect((await resumable("reject", "d.jsonl", GOOD)).answer.status).toBe(204)
    expect((await get("reject", "d.jsonl")).text).toBe(GOOD)
  })

  it("removes a resumable upload whose rows are found invalid at its end", async () => {
    const { answer, head } = await resumable("reject", "tus.jsonl", BAD)
    expect([answer.status, answer.json]).toEqual([422, { detail: [ISSUE] }])
    expect((await get("reject", "tus.jsonl")).status).toBe(404)
    expect((await head()).status).toBe(404)
  })

  it("removes its temporary copies of Parquet uploads", async () => {
    const answer = await put("reject", "a.parquet", "PAR1, but not Parquet")
    expect([answer.status, answer.json.detail[0].type]).toEqual([422, "invalid_row"])
    const left = await readdir(join(server.folder, "data", "rows"), { recursive: true }).catch(() => [])
    expect(left).toEqual([])
  })

  it("refuses a commit of a hub client before the first change", async () => {
    await commit("reject", [file("old.jsonl", GOOD)])
    const before = await paths("reject")
    const lines: Line[] = [file("new-1.jsonl", GOOD), ["deletedFile", { path: "old.jsonl" }], file("new-2.jsonl", BAD)]
    const refused = await commit("reject", lines)
    expect([refused.status, refused.json.code]).toEqual([422, "invalid_request"])
    expect(refused.json.error).toMatch(/'new-2\.jsonl' has invalid rows.* on line 2: \/id/)
    expect(await paths("reject")).toEqual(before)
  })
})

describe("a fileset with enforce: warn", () => {
  it(
    "stores invalid rows, and reports their number to the client and in the log",
    verifies("contents.upload.route"),
    async () => {
      const { body, headers } = multipart(BAD)
      const answers = [
        await put("warn", "a.jsonl", BAD),
        await put("warn", "b.jsonl", body, headers),
        (await resumable("warn", "c.jsonl", BAD)).answer,
      ]
      expect(answers.map(({ headers }) => headers["x-assay-invalid-rows"])).toEqual(["1", "1", "1"])
      for (const path of ["a.jsonl", "b.jsonl", "c.jsonl"]) expect((await get("warn", path)).text).toBe(BAD)
      expect(server.log()).toContain('"path":"b.jsonl","schema":"/schema","rows":2,"invalid":1')
      expect((await commit("warn", [file("d.jsonl", BAD)])).status).toBe(200)
      expect(server.log()).toContain('"path":"d.jsonl"')
      expect((await put("warn", "a.jsonl", GOOD)).headers["x-assay-invalid-rows"]).toBeUndefined()
    },
  )
})

it("A start removes temporary copies that a crashed server left", async () => {
  const home = await mkdtemp(join(tmpdir(), "assay-rows-"))
  const aside = join(home, "data", "rows")
  await mkdir(aside, { recursive: true })
  await writeFile(join(aside, "rows-x.parquet"), "half")
  await (await startTestServer({}, home))[Symbol.asyncDispose]()
  await expect(readdir(aside)).rejects.toThrow("ENOENT")
  await rm(home, { recursive: true })
})

it("Rows are not validated if enforce is off", async () => {
  const answer = await put("off", "a.jsonl", BAD)
  expect([answer.status, answer.headers["x-assay-invalid-rows"]]).toEqual([200, undefined])
})
