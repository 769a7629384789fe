import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { HISTORY_FOLDER } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { BYTES, fileCalls, startFilesServer } from "../testing/start-files-server.ts"
import type { TestServer } from "../testing/start-test-server.ts"

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex")

let server: TestServer
beforeAll(async () => {
  server = await startFilesServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const { put, get } = fileCalls(() => server)

/** Returns all paths in the data folder that look like remains of an upload. */
async function leftovers(): Promise<string[]> {
  const names = await readdir(join(server.folder, "data", "storage"), { recursive: true })
  return names.filter((name) => name.includes("tmp") && !name.includes(HISTORY_FOLDER))
}

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
        file_url: `${BYTES}/-/a/b.txt`,
        file_ref: "default/bytes#a/b.txt",
        cache_status: null,
        sha256: sha256("hello"),
        etag: `"${sha256("hello")}"`,
      })
      expect((await put("copy.txt", "hello")).json.etag).toBe(answer.json.etag)
    },
  )

  it.each([
    ["content-encoding", "gzip", 415, "Bodies are not decoded: this one has the Content-Encoding 'gzip'."],
    ["content-range", "bytes 0-4/10", 400, "this one is the part 'bytes 0-4/10' (Content-Range)."],
  ])(
    "refuses a body whose %s says that its bytes are not the file",
    verifies("files.upload.whole-body"),
    async (header, value, status, message) => {
      await put("whole", "before")
      const answer = await put("whole", "hello", { [header]: value })
      expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(message)])
      expect((await get("whole")).text).toBe("before")
    },
  )

  it("takes a body with the Content-Encoding identity", verifies("files.upload.whole-body"), async () => {
    expect((await put("identity", "hello", { "content-encoding": "identity" })).status).toBe(200)
  })

  it("stores an empty file", verifies("files.upload.empty-file"), async () => {
    expect((await put("empty", "")).json).toMatchObject({ size: 0, sha256: sha256("") })
    const answer = await get("empty")
    expect([answer.status, answer.headers["content-length"]]).toEqual([200, "0"])
  })

  it("accepts multipart with one part named file", verifies("files.put.multipart-body"), async () => {
    const form = new FormData()
    form.append("file", new Blob(["from a form"]), "x.txt")
    const answer = await fetch(`${server.url}${BYTES}/-/form.txt`, { method: "PUT", body: form })
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
      const answer = await fetch(`${server.url}${BYTES}/-/broken`, { method: "PUT", body: form })
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
        { "content-digest": `sha-512=:${createHash("sha512").update("other").digest("base64")}:` },
        { "repr-digest": `sha-256=:${createHash("sha256").update("other").digest("base64")}:` },
        { digest: `SHA-512=${createHash("sha512").update("other").digest("base64")}` },
        { "content-md5": createHash("md5").update("other").digest("base64") },
      ]) {
        const answer = await put("checked", "new", headers)
        expect([answer.status, answer.json.code]).toEqual([400, "checksum_mismatch"])
        expect((await get("checked")).text).toBe("old")
      }
      expect((await put("checked", "new", { "x-checksum-sha256": right.toString("base64") })).status).toBe(200)
      expect(
        (await put("checked", "new", { "content-digest": `crc32c=:AAAA:, sha-256=:${right.toString("base64")}:` }))
          .status,
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
          socket.write(`PUT ${BYTES}/-/silent.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf`),
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
        socket.write(`PUT ${BYTES}/-/cut.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 100\r\n\r\nhalf`, () =>
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
