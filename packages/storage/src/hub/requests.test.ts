import { startFakeHub, startLoopbackServer, type FakeHubOptions } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, listPaths, readAll } from "../testing/ask.ts"
import { openTestHub } from "../testing/open-test-hub.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"

const MIB = 1024 * 1024
const LARGE = sampleBytes(20 * MIB)
const FILES = {
  "readme.md": sampleBytes(100),
  "weights/part 1#ä.bin": { bytes: LARGE, lfs: true },
  "weights/index.json": sampleBytes(50, 2),
}

async function start(options: FakeHubOptions = {}) {
  const hub = await startFakeHub({ repositories: [{ id: "acme/net", files: FILES }], ...options })
  onTestFinished(() => hub.close())
  const revision = hub.repository("acme/net").find("main")?.sha ?? ""
  const { storage } = await openTestHub({ endpoint: hub.url, config: { revision } })
  const asked = () => hub.requests.map(({ host, operation }) => `${host} ${operation}`)
  return { hub, storage, asked, revision }
}

describe("hub storage", () => {
  it("sends one request for a small file in git", async () => {
    const { hub, storage, asked, revision } = await start()
    await readAll(storage, "readme.md")
    expect(asked()).toEqual(["hub resolve"])
    expect(hub.requests[0]?.url).toBe(`/acme/net/resolve/${revision}/readme.md`)
    expect(hub.requests[0]?.headers).toMatchObject({ "accept-encoding": "identity", range: `bytes=0-${8 * MIB - 1}` })
  })

  it("requests a large file from the hub once, and every part from its storage host", async () => {
    const { hub, storage, asked, revision } = await start()
    const read = await readAll(storage, "weights/part 1#ä.bin")
    expect(Buffer.compare(read, LARGE)).toBe(0)
    expect(asked()).toEqual(["hub resolve", "cdn object", "cdn object", "cdn object"])
    expect(hub.requests[0]?.url).toBe(`/acme/net/resolve/${revision}/weights/part%201%23%C3%A4.bin`)
  })

  it("never uses Xet", async () => {
    const { hub, storage } = await start()
    await readAll(storage, "weights/part 1#ä.bin")
    await listPaths(storage)
    expect(hub.requests.filter(({ headers }) => headers["accept"]?.includes("xet"))).toEqual([])
  })

  it("asks once for the description of a file, and never after a listing that contains it", async () => {
    const { storage, asked } = await start()
    const file = await storage.stat(parseFilePath("readme.md"))
    expect(asked()).toEqual(["hub paths-info"])
    expect(await listPaths(storage)).toHaveLength(3)
    expect(await storage.stat(parseFilePath("readme.md"))).toEqual(file)
    expect(await codeOf(storage.stat(parseFilePath("weights")))).toBe("not_found")
    expect(await listPaths(storage, { prefix: "weights" })).toHaveLength(2)
    expect(asked()).toEqual(["hub paths-info", "hub tree"])
  })

  it("asks once for the files of a folder, and caches only these", async () => {
    const { storage, asked } = await start()
    expect(await listPaths(storage, { prefix: "weights/" })).toHaveLength(2)
    await storage.stat(parseFilePath("weights/index.json"))
    expect(asked()).toEqual(["hub tree"])
    await storage.stat(parseFilePath("readme.md"))
    expect(asked()).toEqual(["hub tree", "hub paths-info"])
  })

  it("requests every page", async () => {
    const { hub, storage, asked } = await start({ pageSize: 2 })
    expect(await listPaths(storage)).toHaveLength(3)
    expect(asked()).toEqual(["hub tree", "hub tree"])
    expect(hub.requests[1]?.url).toContain("cursor=")
  })

  it("asks the hub for a new address after the old one expired", async () => {
    const bytes = sampleBytes(40 * MIB)
    const { hub, storage, asked } = await start({
      repositories: [{ id: "acme/net", files: { large: { bytes, lfs: true } } }],
    })
    const { bytes: pieces } = await storage.read(parseFilePath("large"))
    const read: Uint8Array[] = []
    for await (const piece of pieces) {
      if (read.length === 0) {
        // Four parts are in flight, and the fifth is still to be requested.
        await expect.poll(() => asked().length).toBe(5)
        hub.expireAddresses()
      }
      read.push(Buffer.from(piece))
    }
    expect(Buffer.compare(Buffer.concat(read), bytes)).toBe(0)
    expect(asked().slice(5)).toEqual(["cdn object", "hub resolve", "cdn object"])
  })

  it("reads through a mirror that redirects to the hub, without sending it the token", async () => {
    const { hub } = await start()
    const mirror = await startLoopbackServer(({ url }, response) => {
      response.writeHead(308, { location: hub.url + url }).end()
    })
    onTestFinished(() => mirror.close())
    const { storage } = await openTestHub({ endpoint: mirror.url, token: "mirror-token" })
    expect(await listPaths(storage, { prefix: "readme.md" })).toEqual(["readme.md"])
    expect(await readAll(storage, "readme.md")).toHaveLength(100)
    expect(Buffer.compare(await readAll(storage, "weights/part 1#ä.bin"), LARGE)).toBe(0)
    expect(await codeOf(readAll(storage, "missing"))).toBe("not_found")
    expect(hub.requests.filter(({ headers }) => "authorization" in headers)).toEqual([])
    expect(mirror.requests.every(({ headers }) => headers.authorization === "Bearer mirror-token")).toBe(true)
  })
})
