import { writeFile } from "node:fs/promises"
import { connect } from "node:net"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { BYTES, fileCalls, startFilesServer } from "../testing/start-files-server.ts"
import { FILES, type TestServer } from "../testing/start-test-server.ts"

let server: TestServer
beforeAll(async () => {
  server = await startFilesServer()
})
afterAll(() => server[Symbol.asyncDispose]())

const { put, get } = fileCalls(() => server)

describe("a path with a bidirectional control character", () => {
  const NAME = "report\u202egpj.exe"

  it("is refused by every route that writes a file", verifies("files.path.bidirectional-controls"), async () => {
    const plain = await put(encodeURIComponent(NAME), "x")
    expect([plain.status, plain.json.code]).toEqual([400, "bad_path"])
    expect(plain.text).not.toContain("\u202e")
    const metadata = `path ${Buffer.from(NAME).toString("base64")}`
    const headers = { "tus-resumable": "1.0.0", "upload-length": "1", "upload-metadata": metadata }
    const resumable = await server.call("POST", `${BYTES}/uploads`, { headers })
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
    expect((await server.call("GET", `${BYTES}/files`)).text).not.toContain("gpj.exe")
  })

  it("can be listed, read and deleted if another program wrote it", async () => {
    await put("beside", "x")
    await writeFile(join(server.folder, "data/storage/filesets/default/bytes", NAME), "of others")
    const { json } = await server.call("GET", `${BYTES}/files`)
    expect(json.data.map(({ path }: { path: string }) => path)).toContain(NAME)
    expect((await get(encodeURIComponent(NAME))).text).toBe("of others")
    expect((await server.call("DELETE", `${BYTES}/-/${encodeURIComponent(NAME)}`)).status).toBe(200)
    expect((await get(encodeURIComponent(NAME))).status).toBe(404)
  })
})

describe("the path of a file in a URL", () => {
  it("is everything after /-/, in every form of the URL", async () => {
    await server.call("POST", `${FILES}/default/filesets`, { json: { name: "-" } })
    expect((await server.call("PUT", `${FILES}/default/filesets/-/-/a/-/b`, { body: "x" })).json.path).toBe("a/-/b")
    expect((await server.call("PUT", `${BYTES}/%2d/marked`, { body: "x" })).json.path).toBe("marked")
    const { hostname, port } = new URL(server.url)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => {
        const address = `http://-${BYTES}/-/marked`
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
      expect((await server.call("GET", `${BYTES}/files?path=100%2525.txt`)).json.data[0].path).toBe("100%25.txt")
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
