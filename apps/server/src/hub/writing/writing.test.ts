import { createHash } from "node:crypto"
import { mkdir, readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FILES, startTestServer, type Call, type TestServer } from "../../testing/start-test-server.ts"
import { HUB_PREFIX } from "../hub-address.ts"

let server: TestServer
let name = ""
let count = 0
beforeAll(async () => {
  server = await startTestServer({ ASSAY_MAX_UPLOAD_BYTES: "20000000" })
})
afterAll(() => server[Symbol.asyncDispose]())
beforeEach(async () => {
  name = `set-${count++}`
  await call("POST", "/api/repos/create", { json: { name, type: "model" } })
})

type Line = readonly [key: string, value: object]

const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")
const call = (method: string, path: string, options?: Call) => server.call(method, HUB_PREFIX + path, options)
const commit = (lines: readonly Line[], query = "", rev = "main") =>
  call("POST", `/api/models/default/${name}/commit/${rev}${query}`, {
    headers: { "content-type": "application/x-ndjson" },
    body: lines.map(([key, value]) => JSON.stringify({ key, value })).join("\n"),
  })
const file = (path: string, text: string): Line => [
  "file",
  { path, content: Buffer.from(text).toString("base64"), encoding: "base64" },
]
const lfsFile = (path: string, text: string): Line => [
  "lfsFile",
  { path, algo: "sha256", oid: sha256(text), size: text.length },
]
const batch = async (texts: readonly string[], more: object = {}) => {
  const objects = texts.map((text) => ({ oid: sha256(text), size: text.length }))
  const url = `/default/${name}.git/info/lfs/objects/batch`
  // As clients of the hub ask. From others no commit follows.
  const asked = { operation: "upload", transfers: ["basic", "multipart"], ref: { name: "main" }, objects }
  return JSON.parse((await call("POST", url, { json: { ...asked, ...more } })).text)
}
const below = (href: string) => href.slice(server.url.length)
/** Sends an object to the URL from the batch API. */
const send = async (text: string) => {
  const { objects } = await batch([text])
  return server.call("PUT", below(objects[0].actions.upload.href), { body: text })
}
const contents = async () => {
  const { json } = await call("GET", `/api/models/default/${name}/tree/main?recursive=true`)
  const files = (json as { type: string; path: string }[]).filter(({ type }) => type === "file")
  const texts = files.map(async ({ path }) => (await call("GET", `/default/${name}/resolve/main/${path}`)).text)
  return Object.fromEntries(await Promise.all(files.map(async ({ path }, index) => [path, await texts[index]])))
}
const waiting = () => readdir(join(server.folder, "data/objects")).catch(() => [])

describe("POST preupload", () => {
  const ask = (files: readonly object[], rev = "main", query = "") =>
    call("POST", `/api/models/default/${name}/preupload/${rev}${query}`, { json: { files, gitIgnore: "*" } })
  const base64 = (bytes: string | Uint8Array) => Buffer.from(bytes).toString("base64")

  it(
    "puts text of up to 10 MiB into the commit, and everything else through LFS",
    verifies("hub.preupload-modes", "hub.preupload"),
    async () => {
      await commit([file("known.bin", "\0known")])
      const { json } = await ask([
        { path: "a.txt", size: 10_485_760, sample: base64("text, also ünïcode") },
        { path: "cut.txt", size: 512, sample: base64(Buffer.from("x".repeat(511) + "ü").subarray(0, 512)) },
        { path: "large.txt", size: 10_485_761, sample: base64("text") },
        { path: "a.bin", size: 3, sample: base64(Buffer.from([1, 0, 2])) },
        { path: "latin1.txt", size: 1, sample: base64(Buffer.from([0xfc, 0x20])) },
        { path: "known.bin", size: 6, sample: base64("\0known") },
        { path: "empty", size: 0, sample: "" },
      ])
      expect(json.files).toEqual([
        { path: "a.txt", uploadMode: "regular", shouldIgnore: false },
        { path: "cut.txt", uploadMode: "regular", shouldIgnore: false },
        { path: "large.txt", uploadMode: "lfs", shouldIgnore: false },
        { path: "a.bin", uploadMode: "lfs", shouldIgnore: false },
        { path: "latin1.txt", uploadMode: "lfs", shouldIgnore: false },
        { path: "known.bin", uploadMode: "lfs", shouldIgnore: false, oid: sha256("\0known") },
        { path: "empty", uploadMode: "regular", shouldIgnore: false },
      ])
    },
  )

  it("refuses pull requests and other branches before files are sent", async () => {
    const refused = await ask([], "main", "?create_pr=1")
    expect([refused.status, refused.json.error]).toEqual([400, expect.stringContaining("no pull requests")])
    expect((await ask([], "dev")).headers["x-error-code"]).toBe("RevisionNotFound")
    expect((await commit([file("a", "a")], "?create_pr=1")).status).toBe(400)
    expect((await commit([file("a", "a")], "", "refs%2Fpr%2F1")).headers["x-error-code"]).toBe("RevisionNotFound")
    expect(await contents()).toEqual({})
  })
})

describe("a commit", () => {
  it(
    "writes, replaces and deletes files and folders, each atomically",
    verifies("hub.commit", "hub.commit-whole-files"),
    async () => {
      const first = await commit([
        ["header", { summary: "Begin", description: "all" }],
        file("a.txt", "one"),
        file("ä/b.txt", "two"),
        file("folder/c", "three"),
        file("folder/d/e", ""),
      ])
      expect(first.json).toEqual({
        success: true,
        commitOid: expect.stringMatching(/^[0-9a-f]{40}$/),
        commitUrl: `${server.url}${HUB_PREFIX}/default/${name}/commit/${first.json.commitOid}`,
        hookOutput: "",
      })
      expect((await call("GET", `/api/models/default/${name}`)).json.sha).toBe(first.json.commitOid)
      const second = await commit([
        ["header", { summary: "Go on", parentCommit: first.json.commitOid }],
        file("a.txt", "changed"),
        ["deletedFolder", { path: "folder/" }],
        file("folder/c", "kept"),
        ["deletedFile", { path: "ä/b.txt" }],
      ])
      expect(second.status).toBe(200)
      expect(await contents()).toEqual({ "a.txt": "changed", "folder/c": "kept" })
      const titles = (await call("GET", `/api/models/default/${name}/commits/main`)).json
      expect(titles[0]).toMatchObject({ id: second.json.commitOid, title: "Go on" })
      expect(await waiting()).toEqual([])
    },
  )

  it("that was made for another revision changes nothing", async () => {
    const { commitOid } = (await commit([file("a", "one")])).json
    await commit([file("a", "two")])
    const stale = await commit([["header", { summary: "x", parentCommit: commitOid }], file("a", "three")])
    expect([stale.status, stale.json.code]).toEqual([412, "precondition_failed"])
    expect(await contents()).toEqual({ a: "two" })
  })

  it("can turn files into folders and back, and move and swap contents without sending them", async () => {
    await commit([file("a", "one"), file("b/c", "two"), file("x", "ex"), file("y", "why")])
    const done = await commit([
      ["deletedFile", { path: "a" }],
      lfsFile("a/moved", "one"),
      ["deletedFolder", { path: "b" }],
      lfsFile("b", "two"),
      lfsFile("x", "why"),
      lfsFile("y", "ex"),
      lfsFile("copy", "ex"),
    ])
    expect(done.status).toBe(200)
    expect(await contents()).toEqual({ "a/moved": "one", b: "two", x: "why", y: "ex", copy: "ex" })
    expect(await waiting()).toEqual([])
  })

  it("is refused completely if something is missing or wrong", async () => {
    await commit([file("a", "one")])
    const refusals: readonly (readonly [Line, number, string])[] = [
      [lfsFile("b", "never sent"), 400, "bad_upload"],
      [["deletedFile", { path: "none" }], 404, "not_found"],
      [["deletedFolder", { path: "none" }], 404, "not_found"],
      [file("../b", "x"), 400, "bad_path"],
      [file("new/below", "x"), 409, "path_conflict"],
      [["renamed", { path: "a" }], 400, "bad_request"],
      [["lfsFile", { path: "b", oid: "short" }], 400, "bad_request"],
      [["file", { path: "b", content: "x", encoding: "utf-16" }], 400, "bad_request"],
      [["file", { path: "b", content: "!!!", encoding: "base64" }], 400, "bad_request"],
      [file("b", "x".repeat(20_000_001)), 413, "too_large"],
    ]
    for (const [line, status, code] of refusals) {
      const answer = await commit([file("new", "new"), line])
      expect([answer.status, answer.json.code]).toEqual([status, code])
    }
    expect((await commit([["deletedFile", { path: "none" }]])).headers["x-error-code"]).toBe("EntryNotFound")
    const broken = await call("POST", `/api/models/default/${name}/commit/main`, { body: '{"key":"header"' })
    expect([broken.status, broken.json.error]).toEqual([400, expect.stringContaining("Line 1")])
    expect(await contents()).toEqual({ a: "one" })
  })

  it(
    "can't write a path with a bidirectional control character, but can delete one that another program wrote",
    verifies("files.path.bidirectional-controls"),
    async () => {
      const hostile = "report\u202egpj.exe"
      await commit([file("sent", "one")])
      const garbled: Line = ["file", { path: hostile, content: "x", encoding: "utf-16" }]
      for (const line of [file(hostile, "x"), file(`a/${hostile}/b`, "x"), garbled, lfsFile(hostile, "one")]) {
        const refused = await commit([file("new", "new"), ["deletedFile", { path: "sent" }], line])
        expect([refused.status, refused.json.code]).toEqual([400, "bad_path"])
        expect(refused.json.error).toContain("bidirectional control character")
        expect(refused.text).not.toContain("\u202e")
        expect(await contents()).toEqual({ sent: "one" })
      }
      // The protocol has no copies. A file is copied by its digest, as lfsFile.
      const copied = await commit([["copyFile", { path: hostile, srcPath: "sent" }]])
      expect([copied.status, copied.json.code]).toEqual([400, "bad_request"])
      const folder = join(server.folder, "data/storage/filesets/default", name)
      await mkdir(join(folder, `in-${hostile}`))
      for (const path of [hostile, `in-${hostile}/a`]) await writeFile(join(folder, path), "of others")
      const deleted = await commit([
        ["deletedFile", { path: hostile }],
        ["deletedFolder", { path: `in-${hostile}/` }],
      ])
      expect(deleted.status).toBe(200)
      expect(await contents()).toEqual({ sent: "one" })
      const missing = await commit([["deletedFile", { path: hostile }]])
      expect([missing.status, missing.json.code]).toEqual([404, "not_found"])
      expect(missing.text).not.toContain("\u202e")
    },
  )

  it("uses the later of two lines about a path, and keeps the commit id if nothing changes", async () => {
    const { commitOid } = (
      await commit([
        file("a", "no"),
        file("a", "one"),
        file("b", "x"),
        ["deletedFile", { path: "b" }],
        ["deletedFile", { path: "c" }],
        file("c", "y"),
      ])
    ).json
    expect(await contents()).toEqual({ a: "one", c: "y" })
    expect((await commit([["header", { summary: "Again" }], file("a", "one")])).json.commitOid).toBe(commitOid)
    expect((await commit([])).json.commitOid).toBe(commitOid)
    expect((await call("GET", `/api/models/default/${name}/commits/main`)).json[0].title).toBe("Files changed")
  })

  it("with thousands of lines that write and delete folders keeps the files that none of them deletes", async () => {
    const lines = Array.from({ length: 20_000 }, (_, at): Line => lfsFile(`d${at}/${"e/".repeat(50)}f`, "never sent"))
    const folders = Array.from({ length: 20_000 }, (_, at): Line => ["deletedFolder", { path: `d${at}` }])
    const { json } = await commit([...lines, ...folders, lfsFile("kept", "never sent")])
    expect(json.error).toContain("'kept'")
  })

  it("has at most 100,000 lines, and paths and a title of limited length", async () => {
    const many = await commit(Array.from({ length: 100_001 }, (): Line => lfsFile("a", "never sent")))
    expect([many.status, many.json.code]).toEqual([413, "too_large"])
    const long = await commit([["deletedFile", { path: "a".repeat(2049) }]])
    expect([long.status, long.json.code]).toEqual([400, "bad_request"])
    const title = await commit([["header", { summary: "a".repeat(10_001) }], file("a", "one")])
    expect([title.status, title.json.code]).toEqual([400, "bad_request"])
  })
})

describe("LFS objects", () => {
  it(
    "are invisible until a commit names them, and are accepted only with their digest",
    verifies("hub.lfs-batch"),
    async () => {
      const { transfer, objects, hash_algo } = await batch(["content"])
      expect([transfer, hash_algo]).toEqual(["multipart", "sha256"])
      const { href } = objects[0].actions.upload
      const wrong = await server.call("PUT", below(href), { body: "contemt" })
      expect([wrong.status, wrong.json.code]).toEqual([400, "checksum_mismatch"])
      expect((await server.call("PUT", below(href), { body: "content, longer" })).status).toBe(413)
      expect((await commit([lfsFile("a", "content")])).json.code).toBe("bad_upload")
      expect((await server.call("PUT", below(href), { body: "content" })).status).toBe(200)
      expect((await server.call("PUT", below(href), { body: "content" })).status).toBe(200)
      expect(await contents()).toEqual({})
      expect((await batch(["content"])).objects[0].actions).toBeUndefined()
      const verify = (size: number) =>
        server.call("POST", below(objects[0].actions.verify.href), { json: { oid: sha256("content"), size } })
      expect([(await verify(7)).status, (await verify(8)).status]).toEqual([200, 400])
      expect((await commit([lfsFile("a", "content"), lfsFile("b", "content")])).status).toBe(200)
      expect(await contents()).toEqual({ a: "content", b: "content" })
      expect((await batch(["content"])).objects[0].actions).toBeUndefined()
      expect(await waiting()).toEqual([])
    },
  )

  it("can be sent in parts in any order, if none is missing or truncated", async () => {
    const text = "0123456789abcdef".repeat(1_100_000)
    const { transfer, objects } = await batch([text])
    const { href, header } = objects[0].actions.upload
    const { chunk_size, ...parts } = header as Record<string, string>
    expect([transfer, Object.keys(parts), Number(chunk_size)]).toEqual(["multipart", ["00001", "00002"], 16_777_216])
    const part = (number: string, body: string) => server.call("PUT", below(parts[number] ?? ""), { body })
    const first = text.slice(0, Number(chunk_size))
    const second = text.slice(Number(chunk_size))
    expect((await part("00002", second.slice(1))).json.code).toBe("bad_upload")
    expect((await part("00002", second)).headers.etag).toMatch(/^".+"$/)
    const complete = () => server.call("POST", below(href), { json: { oid: sha256(text), parts: [] } })
    expect((await complete()).json.code).toBe("checksum_mismatch")
    await Promise.all([part("00002", second), part("00001", first)])
    expect([(await complete()).status, (await complete()).status]).toEqual([200, 200])
    expect((await server.call("PUT", `${below(href)}/00003`, { body: "x" })).status).toBe(404)
    await commit([lfsFile("large", text)])
    expect((await contents())["large"]).toBe(text)
  })

  it("are sent with a key that allows nothing else", async () => {
    const { objects } = await batch(["secret", "another"])
    const [one, other] = objects.map((object: { actions: { upload: { href: string } } }) => object.actions.upload.href)
    const keyOf = (href: string) => href.split("/").at(-1) ?? ""
    const swapped = below(one).replace(keyOf(one), keyOf(other))
    expect((await server.call("PUT", swapped, { body: "secret" })).status).toBe(404)
    expect((await server.call("PUT", below(one).replace(/set-?/, "x"), { body: "secret" })).status).toBe(404)
    expect((await server.call("PUT", below(one).replace("/6/", "/7/"), { body: "secrets" })).status).toBe(404)
    expect((await server.call("PUT", below(one).replace(keyOf(one), "..%2F..%2Fx"), { body: "secret" })).status).toBe(
      404,
    )
    expect((await server.call("PUT", below(one), { body: "secret" })).status).toBe(200)
    expect(server.log()).not.toContain(keyOf(one))
  })

  it("can be downloaded by their digest, also while they are pending", async () => {
    await commit([file("a", "in a file")])
    await send("waiting")
    const wanted = ["in a file", "waiting", "nowhere"]
    const { objects } = await batch(wanted, { operation: "download" })
    const read = (index: number, headers = {}) =>
      server.call("GET", below(objects[index].actions.download.href), { headers })
    expect((await read(0)).text).toBe("in a file")
    expect((await read(1)).text).toBe("waiting")
    expect(await read(1, { range: "bytes=2-4" })).toMatchObject({ status: 206, text: "iti" })
    expect(objects[2]).toMatchObject({ error: { code: 404 } })
    expect((await call("GET", `/default/${name}.git/info/lfs/objects/${sha256("x")}`)).status).toBe(404)
    expect((await call("GET", `/default/${name}/info/lfs/objects/${sha256("waiting")}`)).status).toBe(404)
  })

  it("are refused one by one, and all together for another hash algorithm", async () => {
    const objects = [
      { oid: "nonsense", size: 1 },
      { oid: sha256("a"), size: 20_000_001 },
      { oid: sha256("b"), size: 1 },
    ]
    const answer = await batch([], { objects })
    expect(answer.objects.map(({ error }: { error?: { code: number } }) => error?.code)).toEqual([422, 413, undefined])
    expect((await batch(["a"], { hash_algo: "sha_256" })).objects[0].actions.upload).toBeDefined()
    expect((await batch(["a"], { hash_algo: "sha512" })).code).toBe("bad_request")
  })
})

describe("repositories", () => {
  it("are created once, with their type as purpose", verifies("hub.create-repo"), async () => {
    const create = (json: object) => call("POST", "/api/repos/create", { json })
    const purpose = async (name: string) => (await server.call("GET", `${FILES}/default/filesets/${name}`)).json.purpose
    const url = `${server.url}${HUB_PREFIX}/datasets/default/made`
    const made = await create({
      name: "made",
      organization: "default",
      type: "dataset",
      visibility: "private",
      sdk: null,
    })
    expect(made.json).toEqual({ url, id: "default/made", name: "default/made" })
    expect(await create({ name: "made", organization: null, type: "dataset" })).toMatchObject({
      status: 409,
      json: { code: "already_exists", url },
    })
    await create({ name: "space", type: "space" })
    expect([await purpose("made"), await purpose(name), await purpose("space")]).toEqual([
      "dataset",
      "model",
      "generic",
    ])
    expect((await create({ name: "no/name" })).status).toBe(422)
    expect((await create({ name: "x", organization: "No-Where" })).status).toBe(422)
    expect((await create({ name: "x", organization: "first-use" })).json.id).toBe("first-use/x")
    expect(
      (await call("DELETE", "/api/repos/delete", { json: { name: "made", organization: "default" } })).status,
    ).toBe(200)
    const gone = await call("DELETE", "/api/repos/delete", { json: { name: "made", organization: "default" } })
    expect([gone.status, gone.headers["x-error-code"]]).toEqual([404, "RepoNotFound"])
    expect((await call("POST", "/api/validate-yaml", { json: { content: "a: b", repoType: "model" } })).json).toEqual({
      errors: [],
      warnings: [],
    })
  })
})
