import { createHash } from "node:crypto"
import { mkdtemp, readdir, rm, stat } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets/resumable`
const PIECE = "application/offset+octet-stream"
const base64 = (text: string) => Buffer.from(text).toString("base64")
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex")

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ ASSAY_UPLOAD_IDLE_SECONDS: "1.5", ASSAY_MAX_UPLOAD_BYTES: "1000" })
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "resumable" } })
})
afterAll(() => server[Symbol.asyncDispose]())

const tus = (method: string, path: string, headers = {}, body?: string) =>
  server.call(method, path, {
    headers: { "tus-resumable": "1.0.0", ...headers },
    ...(body === undefined ? {} : { body }),
  })

async function create(path: string, length: number, more = ""): Promise<string> {
  const answer = await tus("POST", `${BASE}/uploads`, {
    "upload-length": String(length),
    "upload-metadata": `path ${base64(path)}${more}`,
  })
  expect(answer.status).toBe(201)
  return answer.headers.location ?? ""
}

const patch = (location: string, offset: number, body: string, headers = {}) =>
  tus("PATCH", location, { "content-type": PIECE, "upload-offset": String(offset), ...headers }, body)

describe("resumable uploads", () => {
  it("OPTIONS returns the tus version and extensions", async () => {
    const { status, headers } = await server.call("OPTIONS", `${BASE}/uploads`)
    expect([status, headers["tus-version"], headers["tus-max-size"]]).toEqual([204, "1.0.0", "1000"])
    expect(headers["tus-extension"]).toBe("creation,creation-with-upload,checksum,expiration,termination")
  })

  it(
    "A file is sent in pieces, and is visible when it is complete",
    verifies("tus.creation", "tus.offset", "tus.finish", "tus.metadata"),
    async () => {
      const location = await create("in/pieces.txt", 10, `,sha256 ${base64(sha256("0123456789"))}`)
      const first = await patch(location, 0, "01234")
      expect([first.status, first.headers["upload-offset"]]).toEqual([204, "5"])
      expect((await server.call("GET", `${BASE}/-/in/pieces.txt`)).status).toBe(404)
      const head = await tus("HEAD", location)
      expect([head.headers["upload-offset"], head.headers["upload-length"], head.headers["cache-control"]]).toEqual([
        "5",
        "10",
        "no-store",
      ])
      const wrong = await patch(location, 3, "x")
      expect([wrong.status, wrong.json.code]).toEqual([409, "upload_offset"])
      expect((await patch(location, 5, "56789")).headers["upload-offset"]).toBe("10")
      const file = await server.call("GET", `${BASE}/-/in/pieces.txt`)
      expect([file.text, file.headers.etag]).toEqual(["0123456789", `"${sha256("0123456789")}"`])
      expect((await tus("HEAD", location)).headers["upload-offset"]).toBe("10")
    },
  )

  it("HEAD returns Upload-Metadata as it was sent, at every offset", verifies("tus.metadata-at-head"), async () => {
    const metadata = `filename ${base64("named ü.txt")}, relativePath ${base64("x")},is_confidential`
    const started = await tus("POST", `${BASE}/uploads`, { "upload-length": "3", "upload-metadata": metadata })
    const location = started.headers.location ?? ""
    for (const piece of ["", "a", "bc"]) {
      const offset = (await tus("HEAD", location)).headers["upload-offset"]
      expect((await patch(location, Number(offset), piece)).status).toBe(204)
      expect((await tus("HEAD", location)).headers["upload-metadata"]).toBe(metadata)
    }
  })

  it("Uploads of extensions that are not supported are refused by name", verifies("tus.other-extensions"), async () => {
    const start = (headers: object) =>
      tus("POST", `${BASE}/uploads`, { "upload-metadata": `path ${base64("joined")}`, ...headers })
    for (const headers of [
      { "upload-concat": "partial", "upload-length": "3" },
      { "upload-concat": "final;/a /b" },
      { "upload-defer-length": "1" },
    ]) {
      const { status, json } = await start(headers)
      expect([status, json.code]).toEqual([400, "bad_upload"])
      expect(json.detail ?? json.message).toContain(Object.keys(headers)[0])
    }
  })

  it("A piece can repeat the length of its upload, and can't change it", verifies("tus.other-extensions"), async () => {
    const location = await create("length.txt", 4)
    const other = await patch(location, 0, "ab", { "upload-length": "9" })
    expect([other.status, other.text]).toEqual([
      400,
      expect.stringContaining("Upload-Length 9 is not the length of the upload, which is 4"),
    ])
    expect((await patch(location, 0, "ab", { "upload-length": "4" })).headers["upload-offset"]).toBe("2")
  })

  it("The creation can contain the whole file, and a file can be empty", async () => {
    const headers = { "upload-length": "3", "upload-metadata": `path ${base64("at-once")}`, "content-type": PIECE }
    const answer = await tus("POST", `${BASE}/uploads`, headers, "abc")
    expect([answer.status, answer.headers["upload-offset"]]).toEqual([201, "3"])
    await create("empty", 0)
    expect((await server.call("GET", `${BASE}/-/empty`)).status).toBe(200)
  })

  it("A piece that does not match its checksum is removed", verifies("tus.checksum"), async () => {
    const location = await create("checked", 3)
    const digest = (text: string) => `sha256 ${createHash("sha256").update(text).digest("base64")}`
    const wrong = await patch(location, 0, "abx", { "upload-checksum": digest("abc") })
    expect([wrong.status, wrong.json.code]).toEqual([460, "upload_checksum"])
    expect((await tus("HEAD", location)).headers["upload-offset"]).toBe("0")
    expect((await patch(location, 0, "abc", { "upload-checksum": digest("abc") })).status).toBe(204)
    expect((await patch(location, 0, "abc", { "upload-checksum": "crc32 AAAA" })).json.code).toBe("bad_checksum")
  })

  it("A file that does not match the announced digest is refused", async () => {
    const location = await create("lying", 3, `,sha256 ${base64(sha256("other"))}`)
    expect((await patch(location, 0, "abc")).json.code).toBe("checksum_mismatch")
    expect((await server.call("GET", `${BASE}/-/lying`)).status).toBe(404)
    expect((await tus("HEAD", location)).status).toBe(404)
  })

  it(
    "A file that one request sent becomes the file of its fileset without a copy",
    verifies("tus.one-request"),
    async () => {
      const folder = join(server.folder, "data", "uploads")
      const location = await create("in-one", 10)
      const upload = new URL(location, server.url)
      const socket = connect(Number(upload.port), upload.hostname)
      const head = `PATCH ${location} HTTP/1.1\r\nHost: ${upload.host}\r\nConnection: close\r\nTus-Resumable: 1.0.0\r\nContent-Type: ${PIECE}\r\n`
      socket.write(`${head}Upload-Offset: 0\r\nContent-Length: 10\r\n\r\n01234`)
      const id = location.split("/").at(-1) ?? ""
      const pieces = async () => (await readdir(folder).catch(() => [])).filter((name) => name.startsWith(id))
      await expect.poll(pieces).toHaveLength(1)
      const { ino } = await stat(join(folder, (await pieces())[0] ?? ""))
      const digest = { "x-checksum-sha256": sha256("0123456789") }
      expect((await tus("PUT", `${location}/digest`, digest)).status).toBe(204)
      socket.write("56789")
      expect(await text(socket)).toMatch(/^HTTP\/1.1 204 /)
      const file = await server.call("GET", `${BASE}/-/in-one`)
      expect([file.text, file.headers.etag]).toEqual(["0123456789", `"${sha256("0123456789")}"`])
      const names = await readdir(join(server.folder, "data"), { recursive: true })
      const stored = names.find((name) => name.endsWith("/in-one")) ?? ""
      expect((await stat(join(server.folder, "data", stored))).ino).toBe(ino)
      expect(await pieces()).toEqual([])
    },
  )

  it("A digest that is announced late is compared with the file", verifies("tus.digest"), async () => {
    const location = await create("announced", 3)
    const announce = (digest: string) => tus("PUT", `${location}/digest`, { "x-checksum-sha256": digest })
    expect((await tus("PUT", `${location}/digest`)).json.code).toBe("bad_checksum")
    expect((await announce(sha256("other"))).status).toBe(204)
    expect((await announce(sha256("abc"))).json.code).toBe("bad_upload")
    expect((await patch(location, 0, "abc")).json.code).toBe("checksum_mismatch")
    expect((await server.call("GET", `${BASE}/-/announced`)).status).toBe(404)
    expect((await announce(sha256("abc"))).status).toBe(404)
  })

  it("The received bytes are kept if the connection breaks", async () => {
    const location = await create("broken", 100)
    const { hostname, port } = new URL(server.url)
    const head = `PATCH ${location} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nTus-Resumable: 1.0.0\r\nContent-Type: ${PIECE}\r\n`
    const offset = async () => (await tus("HEAD", location)).headers["upload-offset"]
    const socket = connect(Number(port), hostname)
    socket.write(`${head}Upload-Offset: 0\r\nContent-Length: 100\r\n\r\nhalf`)
    await expect.poll(async () => (await patch(location, 0, "")).status).toBe(423)
    socket.destroy()
    await expect.poll(offset).toBe("4")
    await expect.poll(async () => (await patch(location, 4, "")).status).toBe(204)
    expect((await patch(location, 4, "x".repeat(96))).status).toBe(204)
    expect((await server.call("GET", `${BASE}/-/broken`)).text).toBe(`half${"x".repeat(96)}`)
  })

  it("An upload without a path, with a bad path, too long, or beyond its announced end is refused", async () => {
    const start = (headers: object) => tus("POST", `${BASE}/uploads`, headers)
    expect((await start({ "upload-length": "1" })).json.code).toBe("bad_upload")
    expect((await start({ "upload-length": "1", "upload-metadata": `path ${base64("../x")}` })).json.code).toBe(
      "bad_path",
    )
    const beyond = await start({ "upload-length": "9007199254740992", "upload-metadata": `path ${base64("x")}` })
    expect([beyond.status, beyond.json.detail]).toEqual([
      400,
      "The header upload-length '9007199254740992' is not a whole number of bytes from 0 to 9007199254740991.",
    ])
    expect((await start({ "upload-length": "x", "upload-metadata": `path ${base64("x")}` })).json.code).toBe(
      "bad_upload",
    )
    expect((await start({ "upload-length": "1001", "upload-metadata": `path ${base64("x")}` })).status).toBe(413)
    const location = await create("longer", 3)
    expect((await patch(location, 0, "abcd")).json.code).toBe("too_large")
    expect((await tus("HEAD", location)).headers["upload-offset"]).toBe("0")
    expect((await server.call("HEAD", location)).status).toBe(412)
    const untyped = await tus("PATCH", location, { "upload-offset": "0" }, "abc")
    expect([untyped.status, untyped.json.detail]).toEqual([
      415,
      expect.stringMatching(/has Content-Type application\/offset\+octet-stream; this one has /),
    ])
  })

  it("DELETE ends an upload, and uploads of another fileset return 404", async () => {
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: "other" } })
    const location = await create("dropped", 3)
    expect((await tus("HEAD", location.replace("/resumable/", "/other/"))).status).toBe(404)
    expect((await tus("POST", location, { "x-http-method-override": "DELETE" })).status).toBe(204)
    expect((await tus("HEAD", location)).status).toBe(404)
    expect((await tus("HEAD", `${BASE}/uploads/..%2F..%2Fregistry`)).status).toBe(404)
  })

  it(
    "An upload continues under the new name of its fileset, and never into a new fileset with the old name",
    verifies("tus.fileset"),
    async () => {
      const before = `${FILES}/default/filesets/before`
      const after = `${FILES}/default/filesets/after`
      await server.call("POST", `${FILES}/default/filesets`, { json: { name: "before" } })
      const begin = async (path: string) => {
        const headers = { "upload-length": "10", "upload-metadata": `path ${base64(path)}` }
        return (await tus("POST", `${before}/uploads`, headers)).headers.location ?? ""
      }
      const location = await begin("one")
      const slow = new URL((await begin("two")) ?? "", server.url)
      // The last piece is still being sent.
      const socket = connect(Number(slow.port), slow.hostname)
      const head = `PATCH ${slow.pathname} HTTP/1.1\r\nHost: ${slow.host}\r\nConnection: close\r\nTus-Resumable: 1.0.0\r\nContent-Type: ${PIECE}\r\n`
      socket.write(`${head}Upload-Offset: 0\r\nContent-Length: 10\r\n\r\n01234`)
      const moved = slow.pathname.replace("/before/", "/after/")
      await expect.poll(async () => (await patch(slow.pathname, 0, "")).status).toBe(423)

      await server.call("PATCH", before, { json: { name: "after" } })
      await server.call("POST", `${FILES}/default/filesets`, { json: { name: "before" } })
      socket.write("56789")
      expect(await text(socket)).toMatch(/^HTTP\/1.1 404 /)
      expect((await patch(location, 0, "0123456789")).status).toBe(404)
      expect((await server.call("GET", `${before}/files`)).json.data).toEqual([])

      expect((await patch(location.replace("/before/", "/after/"), 0, "0123456789")).status).toBe(204)
      expect((await tus("HEAD", moved)).headers["upload-offset"]).toBe("10")
      const { data } = (await server.call("GET", `${after}/files`)).json
      expect(data).toMatchObject([
        { path: "one", size: 10 },
        { path: "two", size: 10 },
      ])
    },
  )

  it(
    "An upload has an expiry time, and continues after a restart of the server",
    verifies("tus.expiration"),
    async () => {
      const home = await mkdtemp(join(tmpdir(), "assay-tus-"))
      let location = ""
      {
        await using first = await startTestServer({}, home)
        await first.call("POST", `${FILES}/default/filesets`, { json: { name: "resumable" } })
        const headers = {
          "tus-resumable": "1.0.0",
          "upload-length": "6",
          "upload-metadata": `path ${base64("later")}`,
          "content-type": PIECE,
        }
        const answer = await first.call("POST", `${BASE}/uploads`, { headers, body: "abc" })
        expect(Date.parse(answer.headers["upload-expires"] as string)).toBeGreaterThan(Date.now())
        location = answer.headers.location ?? ""
      }
      {
        await using second = await startTestServer({}, home)
        const headers = { "tus-resumable": "1.0.0", "upload-offset": "3", "content-type": PIECE }
        expect((await second.call("PATCH", location, { headers, body: "def" })).status).toBe(204)
        expect((await second.call("GET", `${BASE}/-/later`)).text).toBe("abcdef")
        expect(await readdir(join(home, "data", "uploads"))).toEqual([])
      }
      await rm(home, { recursive: true })
    },
  )
})
