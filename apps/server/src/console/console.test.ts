import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { brotliCompressSync, brotliDecompressSync } from "node:zlib"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { startTestServer, type TestServer } from "../testing/start-test-server.ts"

const PAGE = "<!doctype html><title>console</title>"
const SCRIPT = "console.log('x')"
const BROWSER = { accept: "text/html,application/xhtml+xml" }

describe("the console", () => {
  let folder: string
  let server: TestServer
  let guarded: TestServer
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "assay-files-"))
    await mkdir(join(folder, "assets"))
    await writeFile(join(folder, "index.html"), PAGE)
    await writeFile(join(folder, "assets", "index-1a2b.js"), SCRIPT)
    await writeFile(join(folder, "assets", "index-1a2b.js.br"), brotliCompressSync(SCRIPT))
    await writeFile(join(folder, "notes.txt"), "no type of the web")
    await symlink("/etc/hostname", join(folder, "assets", "link.js"))
    server = await startTestServer({}, undefined, { consoleFolder: folder })
    guarded = await startTestServer({ ASSAY_AUTH: "tokens" }, undefined, { consoleFolder: folder })
  })
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
    await guarded[Symbol.asyncDispose]()
    await rm(folder, { recursive: true })
  })

  it.each([
    ["/", 200],
    ["/?from=home", 200],
    ["/filesets/", 200],
    ["/jobs/eval-1?tab=rows", 200],
    ["/workspace/name/resolve", 404],
    ["/v10", 404],
  ])(
    "is the page that a browser gets at %s with status %i, also before its user has signed in",
    verifies("console.served", "console.csp"),
    async (path, expected) => {
      for (const asked of [server, guarded]) {
        const { status, text, headers } = await asked.call("GET", path, { headers: BROWSER })
        expect([status, text]).toEqual([expected, PAGE])
        expect(headers["content-security-policy"]).toMatch(/^default-src 'self';/)
        expect(headers["cache-control"]).toBe("no-cache")
      }
    },
  )

  it.each(["/v1/nothing", "/apis/files/v2/nothing", "/docs/nothing", "/health/nothing", "/assets/gone.js"])(
    "leaves %s to programs: what is not there is JSON",
    verifies("console.served"),
    async (path) => {
      const { status, json } = await server.call("GET", path, { headers: BROWSER })
      expect([status, json.code]).toEqual([404, "not_found"])
      expect((await guarded.call("GET", path, { headers: BROWSER })).status).toBe(401)
    },
  )

  it("gives programs JSON at its addresses, and takes no writes there", verifies("console.served"), async () => {
    expect((await server.call("GET", "/filesets")).json.code).toBe("not_found")
    expect((await server.call("POST", "/filesets", { headers: BROWSER, json: {} })).json.code).toBe("not_found")
    expect((await guarded.call("GET", "/filesets")).status).toBe(401)
  })

  it(
    "sends a script in the encoding that the browser takes, to be kept for good",
    verifies("console.cached"),
    async () => {
      const path = "/assets/index-1a2b.js"
      const plain = await guarded.call("GET", path)
      expect([plain.text, plain.headers["content-encoding"]]).toEqual([SCRIPT, undefined])
      expect(plain.headers["cache-control"]).toMatch(/immutable/)
      const packed = await server.call("GET", path, { headers: { "accept-encoding": "gzip, deflate, br" } })
      expect(packed.headers["content-encoding"]).toBe("br")
      expect(brotliDecompressSync(packed.bytes).toString()).toBe(SCRIPT)
      const refused = await server.call("GET", path, { headers: { "accept-encoding": "br;q=0, gzip" } })
      expect(refused.text).toBe(SCRIPT)
      const head = await server.call("HEAD", path)
      expect([head.status, head.text, head.headers["content-length"]]).toEqual([200, "", String(SCRIPT.length)])
    },
  )

  it("does not send a page again that the browser has", verifies("console.cached"), async () => {
    const { headers } = await server.call("GET", "/filesets", { headers: BROWSER })
    const again = await server.call("GET", "/jobs", { headers: { ...BROWSER, "if-none-match": headers.etag ?? "" } })
    expect([again.status, again.text]).toEqual([304, ""])
  })

  it.each(["/assets/link.js", "/notes.txt", "/assets/..%2f..%2findex.html", "/assets/index-1a2b.js.br"])(
    "sends no other file of its folder or of the disk: %s",
    async (path) => {
      expect((await server.call("GET", path)).status).toBe(404)
    },
  )
})
