import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { FileListing } from "@assay/filesets"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { BYTES, startFilesServer } from "../testing/start-files-server.ts"
import type { TestServer } from "../testing/start-test-server.ts"
import { formatFileList } from "./send-file-list.ts"

const PATHS = Array.from({ length: 600 }, (_, index) => `${String(index).padStart(4, "0")}-"ä\u{1F600}`)

describe("a listing that is sent while it is read", () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startFilesServer()
    const folder: string = (await server.call("GET", BYTES)).json.storage.path
    mkdirSync(folder, { recursive: true })
    for (const path of PATHS) writeFileSync(join(folder, path), "x")
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const list = (query: string, method = "GET") => server.call(method, `${BYTES}/files${query}`)

  it("has the same bytes as a page that is sent whole", async () => {
    for (const query of ["", "&include_cache_status=true", "&path=none"]) {
      const whole = await list(`?limit=1000${query}`)
      const streamed = await list(`?${query.slice(1)}`)
      expect(whole.headers["content-length"]).toBeDefined()
      expect(streamed.headers["content-length"]).toBeUndefined()
      expect(streamed.headers["content-type"]).toBe(whole.headers["content-type"])
      expect(streamed.bytes.equals(whole.bytes)).toBe(true)
    }
    expect((await list("")).json.data).toHaveLength(600)
  })

  it("has the length of its body in the response to HEAD", async () => {
    const { status, headers, text } = await list("", "HEAD")
    expect([status, text, headers["content-length"]]).toEqual([200, "", String((await list("")).bytes.byteLength)])
  })

  it("has an error status if it fails before the first byte", async () => {
    expect([(await list("?page_token=forged")).status, (await list("?path=../x")).status]).toEqual([400, 400])
    expect((await server.call("GET", `${BYTES}-gone/files`)).status).toBe(404)
  })
})

describe("the text of a listing", () => {
  const fileOf = (path: string) => ({ path, size: 1 })
  const jsonOf = (...paths: string[]) => paths.map((path) => JSON.stringify(fileOf(path))).join(",")

  it("is the JSON of its batches, also of empty ones", async () => {
    async function* batches(): FileListing {
      yield ""
      yield jsonOf("a", "b")
      yield ""
      yield jsonOf("c")
      return "token"
    }
    const pieces = await Array.fromAsync(formatFileList(batches()))
    const data = ["a", "b", "c"].map(fileOf)
    expect(pieces.join("")).toBe(JSON.stringify({ data, next_page_token: "token" }))
    expect(pieces).toHaveLength(3)
  })

  it("is never complete if the listing fails, and ends the listing if the client stops reading", async () => {
    let isEnded = false
    async function* batches(): FileListing {
      try {
        yield jsonOf("a")
        throw new Error("the disk is gone")
      } finally {
        isEnded = true
      }
    }
    let text = ""
    await expect(
      (async () => {
        for await (const piece of formatFileList(batches())) text += piece
      })(),
    ).rejects.toThrow("the disk is gone")
    expect(text.endsWith("]}")).toBe(false)
    isEnded = false
    for await (const _piece of formatFileList(batches())) break
    expect(isEnded).toBe(true)
  })
})
