import { createHash } from "node:crypto"
import { truncate, writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { BYTES, fileCalls, startFilesServer } from "../testing/start-files-server.ts"
import { HUB_PREFIX } from "../hub/hub-address.ts"
import type { TestServer } from "../testing/start-test-server.ts"

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex")

let server: TestServer
beforeAll(async () => {
  server = await startFilesServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const { put, get } = fileCalls(() => server)

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

  it.each(["jsonl", "json", "geojson", "csv", "bin"])(
    "returns the bytes of a .%s file of any size, whole, by range and to clients of S3 and the hub",
    verifies("files.get.route"),
    async (ending) => {
      for (const size of [100, 100_000, 800_000, 1_000_000]) {
        const bytes = "0123456789".repeat(Math.ceil(size / 10)).slice(0, size)
        await put(`sized.${ending}`, bytes)
        const read = async (path: string, headers = {}) => (await fetch(server.url + path, { headers })).text()
        const file = `${BYTES}/-/sized.${ending}`
        expect([size, sha256(await read(file))]).toEqual([size, sha256(bytes)])
        const range = { range: `bytes=10-${size - 11}` }
        expect(sha256(await read(file, range))).toBe(sha256(bytes.slice(10, -10)))
        expect(sha256(await read(`${HUB_PREFIX}/default/bytes/resolve/main/sized.${ending}`))).toBe(sha256(bytes))
        expect(sha256(await read(`/s3/default.bytes/sized.${ending}`))).toBe(sha256(bytes))
      }
    },
  )

  it("has the same header fields as HEAD, which returns no bytes", verifies("files.head.route"), async () => {
    const head = await server.call("HEAD", `${BYTES}/-/ten`)
    const full = await get("ten")
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
    const { etag = "" } = (await get("ten")).headers
    expect((await get("ten", { range: "bytes=2-4", "if-range": etag })).text).toBe("234")
    const before = new Date(0).toUTCString()
    expect((await get("ten", { range: "bytes=2-4", "if-range": before })).text).toBe("0123456789")
    const other = await get("ten", { range: "bytes=2-4", "if-range": '"x"' })
    expect([other.status, other.text]).toEqual([200, "0123456789"])
  })

  it(
    "returns 404 for missing files, and the address of a folder",
    verifies("files.path.folder", "errors.file-missing"),
    async () => {
      await put("some/folder/file", "x")
      const missing = await get("nowhere")
      const detail = "File 'nowhere' not found in fileset 'default/bytes'"
      expect([missing.status, missing.json]).toEqual([404, { detail, code: "not_found" }])
      for (const path of ["some/folder", "some"]) {
        const answer = await fetch(`${server.url}${BYTES}/-/${path}`, { redirect: "manual" })
        expect([answer.status, answer.headers.get("location")]).toEqual([302, `./${path.split("/").at(-1)}/`])
        expect((await server.call("DELETE", `${BYTES}/-/${path}`)).status).toBe(404)
      }
    },
  )

  it(
    "works with a HEAD and several ranges pipelined over one connection",
    verifies("clients.head-then-ranges", "clients.keep-alive"),
    async () => {
      const { hostname, port } = new URL(server.url)
      const line = (method: string, range = "") =>
        `${method} ${BYTES}/-/ten HTTP/1.1\r\nHost: 127.0.0.1\r\n${range}\r\n`
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
    const { json } = await server.call("GET", `${BYTES}/files?path=foreign`)
    expect(json.data[0]).toMatchObject({ size: 14, sha256: null, etag: expect.stringMatching(/^".+"$/) })
    const answer = await get("foreign")
    expect([answer.text, answer.headers.etag]).toEqual(["not through us", json.data[0].etag])
  })

  it("end the connection if they shrink while they are sent", verifies("files.download.broken-off"), async () => {
    const size = 64 * 1024 * 1024
    await writeFile(onDisk("shrinking"), Buffer.alloc(size))
    const response = await fetch(`${server.url}${BYTES}/-/shrinking`)
    expect(response.headers.get("content-length")).toBe(String(size))
    await truncate(onDisk("shrinking"), 1000)
    await expect(response.arrayBuffer()).rejects.toThrow("terminated")
  })
})
