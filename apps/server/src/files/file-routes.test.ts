import { createHash } from "node:crypto"
import { readdir, truncate, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { verifies } from "@assay/testkit/verifies"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex")
const BASE = `${FILES}/default/filesets/bytes`

let server: TestServer
beforeAll(async () => {
  server = await startTestServer({ ASSAY_UPLOAD_IDLE_SECONDS: "0.3", ASSAY_MAX_UPLOAD_BYTES: "1000000" })
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "bytes" } })
})
afterAll(() => server[Symbol.asyncDispose]())

const put = (path: string, body: string | Uint8Array, headers = {}) =>
  server.call("PUT", `${BASE}/-/${path}`, { body, headers })
const get = (path: string, headers = {}) => server.call("GET", `${BASE}/-/${path}`, { headers })

/** Every path in the data folder that looks like something left behind by an upload. */
async function leftovers(): Promise<string[]> {
  const names = await readdir(join(server.folder, "data", "storage"), { recursive: true })
  return names.filter((name) => name.includes("tmp"))
}

describe("a path with a bidirectional control character", () => {
  const NAME = "report\u202egpj.exe"

  it("is refused by every route that writes a file", verifies("files.path.bidirectional-controls"), async () => {
    const plain = await put(encodeURIComponent(NAME), "x")
    expect([plain.status, plain.json.code]).toEqual([400, "bad_path"])
    expect(plain.text).not.toContain("\u202e")
    const metadata = `path ${Buffer.from(NAME).toString("base64")}`
    const headers = { "tus-resumable": "1.0.0", "upload-length": "1", "upload-metadata": metadata }
    const resumable = await server.call("POST", `${BASE}/uploads`, { headers })
    expect([resumable.status, resumable.json.code]).toEqual([400, "bad_path"])
    const lines = [
      { key: "header", value: { summary: "a" } },
      { key: "file", value: { path: NAME, content: "eA==", encoding: "base64" } },
    ]
    const commit = await server.call("POST", "/apis/files/v2/hf/api/models/default/bytes/commit/main", {
      body: lines.map((line) => JSON.stringify(line)).join("\n"),
      headers: { "content-type": "application/x-ndjson" },
    })
    expect([commit.status, commit.json.code]).toEqual([400, "bad_path"])
    expect((await server.call("GET", `${BASE}/files`)).text).not.toContain("gpj.exe")
  })

  it("can be listed, read and deleted if another program wrote it", async () => {
    await put("beside", "x")
    await writeFile(join(server.folder, "data/storage/filesets/default/bytes", NAME), "of others")
    const { json } = await server.call("GET", `${BASE}/files`)
    expect(json.data.map(({ path }: { path: string }) => path)).toContain(NAME)
    expect((await get(encodeURIComponent(NAME))).text).toBe("of others")
    expect((await server.call("DELETE", `${BASE}/-/${encodeURIComponent(NAME)}`)).status).toBe(200)
    expect((await get(encodeURIComponent(NAME))).status).toBe(404)
  })
})

describe("the path of a file in a URL", () => {
  it("is everything after /-/, in every form of the URL", async () => {
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: "-" } })
    expect((await server.call("PUT", `${FILES}/default/filesets/-/-/a/-/b`, { body: "x" })).json.path).toBe("a/-/b")
    expect((await server.call("PUT", `${BASE}/%2d/marked`, { body: "x" })).json.path).toBe("marked")
    const { hostname, port } = new URL(server.url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const address = `http://-${BASE}/-/marked`
        socket.write(`GET ${address} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`)
      })
      let text = ""
      socket.on("data", (bytes) => (text += bytes.toString()))
      socket.on("end", () => resolve(text))
      socket.on("error", reject)
    })
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe("PUT of a file", () => {
  it(
    "returns the file info, with an ETag and a digest of the content",
    verifies(
      "files.put.raw-body",
      "files.shape.fields",
      "files.shape.file-ref",
      "files.shape.file-url",
      "files.shape.etag-quoted",
      "files.shape.cache-status",
      "files.upload.etag",
      "files.upload.sha256",
      "wire.sha256-hex",
    ),
    async () => {
      const answer = await put("a/b.txt", "hello")
      expect(answer.status).toBe(200)
      expect(answer.json).toMatchObject({
        path: "a/b.txt",
        size: 5,
        file_url: `${BASE}/-/a/b.txt`,
        file_ref: "default/bytes#a/b.txt",
        cache_status: null,
        sha256: sha256("hello"),
        etag: `"${sha256("hello")}"`,
      })
      expect((await put("copy.txt", "hello")).json.etag).toBe(answer.json.etag)
    },
  )

  it("stores an empty file", verifies("files.upload.empty-file"), async () => {
    expect((await put("empty", "")).json).toMatchObject({ size: 0, sha256: sha256("") })
    const answer = await get("empty")
    expect([answer.status, answer.headers["content-length"]]).toEqual([200, "0"])
  })

  it("accepts multipart with one part named file", verifies("files.put.multipart-body"), async () => {
    const form = new FormData()
    form.append("file", new Blob(["from a form"]), "x.txt")
    const answer = await fetch(`${server.url}${BASE}/-/form.txt`, { method: "PUT", body: form })
    expect(answer.status).toBe(200)
    expect((await get("form.txt")).text).toBe("from a form")
  })

  it(
    "refuses multipart that is malformed or has no such part",
    verifies("files.upload.malformed-multipart"),
    async () => {
      const headers = { "content-type": "multipart/form-data" }
      expect((await put("broken", "nonsense", headers)).json.code).toBe("bad_upload")
      const form = new FormData()
      form.append("other", new Blob(["x"]), "x")
      const answer = await fetch(`${server.url}${BASE}/-/broken`, { method: "PUT", body: form })
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ code: "bad_upload" })
      const cut = { "content-type": "multipart/form-data; boundary=b" }
      const half = '--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nhalf'
      expect((await put("broken", half, cut)).status).toBe(400)
      expect((await get("broken")).status).toBe(404)
    },
  )

  it("with If-None-Match: * returns 412 if the file exists", verifies("files.upload.create-only"), async () => {
    await put("once", "1", { "if-none-match": "*" })
    const again = await put("once", "2", { "if-none-match": "*" })
    expect([again.status, again.json.code]).toEqual([412, "precondition_failed"])
    expect((await get("once")).text).toBe("1")
  })

  it("with If-Match replaces only the named version", verifies("files.upload.if-match"), async () => {
    const { etag } = (await put("versioned", "1")).json
    expect((await put("versioned", "x", { "if-match": '"other"' })).status).toBe(412)
    expect((await put("versioned", "2", { "if-match": etag })).status).toBe(200)
    expect((await put("missing", "x", { "if-match": etag })).status).toBe(412)
    expect((await get("versioned")).text).toBe("2")
  })

  it(
    "refuses bytes that do not match the digest in the headers, and changes nothing",
    verifies("files.upload.checksum-mismatch", "files.upload.checksum-header", "files.upload.content-digest"),
    async () => {
      await put("checked", "old")
      const right = createHash("sha256").update("new").digest()
      for (const headers of [
        { "x-checksum-sha256": sha256("other") },
        { "x-checksum-sha256": createHash("sha256").update("other").digest("base64") },
        { "content-digest": `sha-256=:${createHash("sha256").update("other").digest("base64")}:` },
      ]) {
        const answer = await put("checked", "new", headers)
        expect([answer.status, answer.json.code]).toEqual([400, "checksum_mismatch"])
        expect((await get("checked")).text).toBe("old")
      }
      expect((await put("checked", "new", { "x-checksum-sha256": right.toString("base64") })).status).toBe(200)
      expect(
        (await put("checked", "new", { "content-digest": `md5=:AAAA:, sha-256=:${right.toString("base64")}:` })).status,
      ).toBe(200)
    },
  )

  it("refuses a malformed digest header", verifies("files.upload.malformed-digest"), async () => {
    expect((await put("d", "x", { "content-digest": "sha-256=abc" })).json.code).toBe("bad_checksum")
    expect((await put("d", "x", { "x-checksum-sha256": "abc" })).json.code).toBe("bad_checksum")
  })

  it(
    "ends a silent upload and stores nothing of it",
    verifies("files.upload.idle-timeout", "files.upload.idle-no-trace"),
    async () => {
      const { hostname, port } = new URL(server.url)
      const text = await new Promise<string>((resolve) => {
        let received = ""
        const socket = connect(Number(port), hostname, () =>
          socket.write(`PUT ${BASE}/-/silent.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf`),
        )
        socket.on("data", (part) => (received += part.toString()))
        socket.on("close", () => resolve(received))
      })
      expect(text).toContain("HTTP/1.1 408")
      expect(text).toContain("Connection terminated due to inactivity: silent.bin")
      expect((await get("silent.bin")).status).toBe(404)
      expect(await leftovers()).toEqual([])
    },
  )

  it("stores nothing of an upload whose connection breaks", verifies("files.upload.whole"), async () => {
    await put("cut.bin", "old")
    const { hostname, port } = new URL(server.url)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`PUT ${BASE}/-/cut.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf`, () =>
          setTimeout(() => socket.destroy(), 50),
        ),
      )
      socket.on("close", () => resolve())
    })
    await expect.poll(leftovers).toEqual([])
    expect((await get("cut.bin")).text).toBe("old")
  })

  it(
    "refuses a file above the operator's limit, and names the limit",
    verifies("settings.max-upload", "errors.too-large"),
    async () => {
      const announced = await put("large", Buffer.alloc(1_000_001))
      expect([announced.status, announced.json.code]).toEqual([413, "too_large"])
      expect(announced.json.detail).toContain("1000000")
      const chunked = await put("large", Buffer.alloc(1_000_001), { "transfer-encoding": "chunked" })
      expect(chunked.status).toBe(413)
      expect((await get("large")).status).toBe(404)
    },
  )

  it(
    "returns 409 if a folder of the path is a file, or the path is a folder",
    verifies("files.path.conflict"),
    async () => {
      await put("in-the-way", "x")
      expect((await put("in-the-way/below", "x")).json.code).toBe("path_conflict")
      await put("folder/file", "x")
      expect((await put("folder", "x")).json.code).toBe("path_conflict")
    },
  )
})

describe("a file path", () => {
  it.each(["a%2F..%2Fb", "..", "./a", "a//b", "/a", "a/", "a%5Cb", "a%00b", "a%7Fb", "a%C2%85b", "%FF", "a%zz"])(
    "%s is refused and never repaired",
    verifies(
      "files.path.empty-segments",
      "files.path.dot-segments",
      "files.path.leading-slash",
      "files.path.control-characters",
      "files.path.backslash",
    ),
    async (path) => {
      const answer = await put(path, "x")
      expect(answer.status).toBe(400)
      expect(["bad_path", "bad_request"]).toContain(answer.json.code)
    },
  )

  it(
    "can contain slashes as %2F and any Unicode, and normal forms stay different",
    verifies("files.path.slashes", "files.path.unicode"),
    async () => {
      await put("deep%2Fer/%C3%A4.txt", "composed")
      await put("deep/er/a%CC%88.txt", "decomposed")
      expect((await get("deep/er%2F%C3%A4.txt")).text).toBe("composed")
      expect((await get("deep/er/a%CC%88.txt")).text).toBe("decomposed")
      await put("100%2525.txt", "percent")
      expect((await server.call("GET", `${BASE}/files?path=100%2525.txt`)).json.data[0].path).toBe("100%25.txt")
    },
  )

  it(
    "is refused above 1024 bytes, and with a segment above 255 bytes",
    verifies("files.path.length", "files.path.segment-length"),
    async () => {
      expect((await put("a".repeat(255), "x")).status).toBe(200)
      expect((await put("a".repeat(256), "x")).json.code).toBe("bad_path")
      expect((await put(`${"b".repeat(200)}/`.repeat(5) + "c".repeat(19), "x")).status).toBe(200)
      expect((await put(`${"b".repeat(200)}/`.repeat(5) + "c".repeat(20), "x")).json.code).toBe("bad_path")
    },
  )
})

describe("GET of a file", () => {
  beforeAll(async () => void (await put("ten", "0123456789")))

  it(
    "returns the bytes, with their facts as header fields",
    verifies("files.get.route", "files.download.headers", "files.download.content-type"),
    async () => {
      const answer = await get("ten")
      expect(answer.text).toBe("0123456789")
      expect(answer.headers).toMatchObject({
        "accept-ranges": "bytes",
        "content-length": "10",
        "content-type": "application/octet-stream",
        "x-content-type-options": "nosniff",
        etag: `"${sha256("0123456789")}"`,
      })
      expect(Date.parse(answer.headers["last-modified"] ?? "")).toBeGreaterThan(Date.now() - 60_000)
    },
  )

  it("has the same header fields as HEAD, which returns no bytes", verifies("files.head.route"), async () => {
    const [head, full] = [await server.call("HEAD", `${BASE}/-/ten`), await get("ten")]
    for (const name of ["etag", "content-length", "content-type", "last-modified", "accept-ranges"]) {
      expect([name, head.headers[name]]).toEqual([name, full.headers[name]])
    }
    expect(head.bytes).toHaveLength(0)
  })

  it.each([
    ["bytes=2-4", "234", "bytes 2-4/10"],
    ["bytes=7-", "789", "bytes 7-9/10"],
    ["bytes=-3", "789", "bytes 7-9/10"],
    ["bytes=8-99", "89", "bytes 8-9/10"],
    ["bytes=-99", "0123456789", "bytes 0-9/10"],
    ["bytes=0-0", "0", "bytes 0-0/10"],
  ])(
    "returns the range %s",
    verifies("files.download.range", "files.download.range-end-clamped"),
    async (range, text, contentRange) => {
      const answer = await get("ten", { range })
      expect([answer.status, answer.text, answer.headers["content-range"]]).toEqual([206, text, contentRange])
    },
  )

  it.each(["bytes=10-", "bytes=5-2", "bytes=a-b", "bytes=-0", "bytes=", "bytes=--1"])(
    "refuses the range %s",
    verifies(
      "files.download.range-past-end",
      "files.download.range-inverted",
      "files.download.range-unreadable",
      "files.download.empty-suffix",
    ),
    async (range) => {
      const answer = await get("ten", { range })
      expect([answer.status, answer.headers["content-range"]]).toEqual([416, "bytes */10"])
      expect(answer.json.detail).toContain(`Invalid range: ${range}`)
    },
  )

  it("refuses any range of an empty file", verifies("files.download.range-of-empty-file"), async () => {
    await put("nothing", "")
    expect((await get("nothing", { range: "bytes=0-" })).headers["content-range"]).toBe("bytes */0")
    expect((await get("nothing", { range: "bytes=-1" })).status).toBe(416)
  })

  it(
    "ignores several ranges and other units",
    verifies("files.download.several-ranges", "files.download.other-unit"),
    async () => {
      expect((await get("ten", { range: "bytes=0-1,4-5" })).status).toBe(200)
      expect((await get("ten", { range: "lines=0-1" })).text).toBe("0123456789")
    },
  )

  it("returns 304 for the version that the client has", verifies("files.download.if-none-match"), async () => {
    const { etag = "", "last-modified": modified = "" } = (await get("ten")).headers
    const answer = await get("ten", { "if-none-match": etag })
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, "", etag])
    expect((await get("ten", { "if-none-match": `"x", W/${etag}` })).status).toBe(304)
    expect((await get("ten", { "if-none-match": '"x"' })).status).toBe(200)
    expect((await get("ten", { "if-modified-since": modified })).status).toBe(304)
    expect((await get("ten", { "if-match": '"x"' })).status).toBe(412)
  })

  it("applies a range only to the version in If-Range", verifies("files.download.if-range"), async () => {
    const { etag = "", "last-modified": modified = "" } = (await get("ten")).headers
    expect((await get("ten", { range: "bytes=2-4", "if-range": etag })).text).toBe("234")
    expect((await get("ten", { range: "bytes=2-4", "if-range": modified })).text).toBe("234")
    const other = await get("ten", { range: "bytes=2-4", "if-range": '"x"' })
    expect([other.status, other.text]).toEqual([200, "0123456789"])
  })

  it(
    "returns 404 for missing files and for folders",
    verifies("files.path.folder", "errors.file-missing"),
    async () => {
      await put("some/folder/file", "x")
      for (const path of ["nowhere", "some/folder", "some"]) {
        const answer = await get(path)
        expect([answer.status, answer.json]).toEqual([
          404,
          { detail: `File '${path}' not found in fileset 'default/bytes'`, code: "not_found" },
        ])
        expect((await server.call("DELETE", `${BASE}/-/${path}`)).status).toBe(404)
      }
    },
  )

  it(
    "works with a HEAD and several ranges pipelined over one connection",
    verifies("clients.head-then-ranges", "clients.keep-alive"),
    async () => {
      const { hostname, port } = new URL(server.url)
      const line = (method: string, range = "") => `${method} ${BASE}/-/ten HTTP/1.1\r\nHost: 127.0.0.1\r\n${range}\r\n`
      const text = await new Promise<string>((resolve) => {
        let received = ""
        const socket = connect(Number(port), hostname, () =>
          socket.write(
            line("HEAD") +
              line("GET", "Range: bytes=0-1\r\n") +
              line("GET", "Range: bytes=8-9\r\nConnection: close\r\n"),
          ),
        )
        socket.on("data", (part) => (received += part.toString()))
        socket.on("close", () => resolve(received))
      })
      expect(text.match(/HTTP\/1\.1 (\d+)/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 206", "HTTP/1.1 206"])
      expect(text.indexOf("01")).toBeLessThan(text.lastIndexOf("89"))
    },
  )
})

describe("files that other programs change", () => {
  const onDisk = (path: string) => join(server.folder, "data", "storage", "filesets", "default", "bytes", path)

  it("are listed without a digest and can be read", verifies("files.shape.sha256-unknown"), async () => {
    await put("own", "x")
    await writeFile(onDisk("foreign"), "not through us")
    const { json } = await server.call("GET", `${BASE}/files?path=foreign`)
    expect(json.data[0]).toMatchObject({ size: 14, sha256: null, etag: expect.stringMatching(/^".+"$/) })
    const answer = await get("foreign")
    expect([answer.text, answer.headers.etag]).toEqual(["not through us", json.data[0].etag])
  })

  it("end the connection if they shrink while they are sent", verifies("files.download.broken-off"), async () => {
    const size = 64 * 1024 * 1024
    await writeFile(onDisk("shrinking"), Buffer.alloc(size))
    const response = await fetch(`${server.url}${BASE}/-/shrinking`)
    expect(response.headers.get("content-length")).toBe(String(size))
    await truncate(onDisk("shrinking"), 1000)
    await expect(response.arrayBuffer()).rejects.toThrow("terminated")
  })
})

describe("DELETE and listing of files", () => {
  it(
    "returns the deleted file, also to a request with a JSON content type and no body",
    verifies("files.delete.answers-record", "clients.delete-empty-json"),
    async () => {
      await put("gone", "x")
      const headers = { "content-type": "application/json" }
      const answer = await server.call("DELETE", `${BASE}/-/gone`, { headers })
      expect([answer.status, answer.json.path]).toEqual([200, "gone"])
      expect((await get("gone")).status).toBe(404)
    },
  )

  it(
    "lists files below a path in code-point order, in pages",
    verifies(
      "files.list.route",
      "files.list.order",
      "files.list.path",
      "files.list.pages",
      "files.list.no-path",
      "files.list.trailing-slash",
      "files.list.include-cache-status",
    ),
    async () => {
      const fileset = `${FILES}/default/filesets/listed`
      await server.call("POST", `${FILES}/default/filesets`, { json: { name: "listed" } })
      for (const path of ["a", "ab", "a-/x", "b/1", "b/2", "b.txt", "z\u{1F600}", "z\uFF5E"]) {
        await server.call("PUT", `${fileset}/-/${path.split("/").map(encodeURIComponent).join("/")}`, { body: "x" })
      }
      const paths = async (query: string) => {
        const { json } = await server.call("GET", `${fileset}/files${query}`)
        return [json.data.map((file: { path: string }) => file.path), json.next_page_token] as const
      }
      const all = ["a", "a-/x", "ab", "b.txt", "b/1", "b/2", "z\uFF5E", "z\u{1F600}"]
      expect(await paths("?include_cache_status=false")).toEqual([all, undefined])
      expect(await paths("?path=")).toEqual([all, undefined])
      expect(await paths("?path=a")).toEqual([["a"], undefined])
      expect(await paths("?path=b")).toEqual([["b/1", "b/2"], undefined])
      expect(await paths("?path=b/")).toEqual([["b/1", "b/2"], undefined])
      const [first, token] = await paths("?limit=5")
      expect(first).toEqual(all.slice(0, 5))
      expect(await paths(`?limit=5&page_token=${token}`)).toEqual([all.slice(5), undefined])
      expect((await server.call("GET", `${fileset}/files?page_token=forged`)).json.code).toBe("bad_page_token")
    },
  )
})
