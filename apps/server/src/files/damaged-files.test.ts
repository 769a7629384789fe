import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { open, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterAll, beforeAll, expect, it } from "vitest"
import { FILES, startTestServer, type TestServer } from "../testing/start-test-server.ts"

const BASE = `${FILES}/default/filesets/rotten`
const HUB = "/apis/files/v2/hf/default/rotten/resolve/main"
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
  await server.call("POST", `${FILES}/default/filesets`, { json: { name: "rotten" } })
})
afterAll(() => server[Symbol.asyncDispose]())

/** Writes a file through the server, then changes one byte on disk and restores the modification time. */
async function makeDamagedFile(name: string, size: number): Promise<string> {
  const content = Buffer.alloc(size, name)
  expect((await server.call("PUT", `${BASE}/-/${name}`, { body: content })).status).toBe(200)
  const path = join(server.folder, "data/storage/filesets/default/rotten", name)
  const reference = join(server.folder, "reference")
  await writeFile(reference, "")
  spawnSync("touch", ["-r", path, reference])
  const handle = await open(path, "r+")
  await handle.write(Buffer.from([0]), 0, 1, Math.floor(size / 2))
  await handle.close()
  spawnSync("touch", ["-r", reference, path])
  return sha256(content)
}

it(
  "A small damaged file returns 502 to every client, and is listed without its digest from then on",
  verifies("files.download.damage"),
  async () => {
    const digest = await makeDamagedFile("small", 1000)
    const answer = await server.call("GET", `${BASE}/-/small`)
    expect([answer.status, answer.json.code, answer.headers.etag]).toEqual([502, "content_damaged", undefined])
    expect((await server.call("GET", `${HUB}/small`)).status).toBe(502)
    const head = await server.call("HEAD", `${BASE}/-/small`)
    expect([head.status, head.headers["x-checksum-sha256"]]).toEqual([200, undefined])
    expect(head.headers.etag).not.toContain(digest)
    const { json } = await server.call("GET", `${BASE}/files?path=small`)
    expect(json.data).toEqual([expect.objectContaining({ path: "small", sha256: null, etag: head.headers.etag })])
    expect((await server.call("GET", `${BASE}/-/small`, { headers: { "if-none-match": `"${digest}"` } })).status).toBe(
      502,
    )
  },
)

it(
  "A large damaged file ends with a closed connection, and its path is logged as an error",
  verifies("files.download.damage"),
  async () => {
    const digest = await makeDamagedFile("large", 5_000_000)
    await expect(server.call("GET", `${BASE}/-/large`)).rejects.toThrow()
    // Once the damage is known, no byte is sent.
    expect((await server.call("GET", `${BASE}/-/large`)).status).toBe(502)
    expect((await server.call("GET", `${HUB}/large`)).status).toBe(502)
    const head = await server.call("HEAD", `${BASE}/-/large`)
    expect(head.headers.etag).not.toContain(digest)
    const logged = server
      .log()
      .split("\n")
      .find((line) => line.includes("large") && line.includes("are not those that were written"))
    expect(JSON.parse(logged ?? "{}")).toMatchObject({ level: 50, path: "large", expected_sha256: digest })
  },
)

it("A damaged file is intact after it is written again", async () => {
  await makeDamagedFile("again", 1000)
  expect((await server.call("GET", `${BASE}/-/again`)).status).toBe(502)
  await server.call("PUT", `${BASE}/-/again`, { body: "new" })
  expect((await server.call("GET", `${BASE}/-/again`)).text).toBe("new")
})
