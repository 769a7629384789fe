import type { CatalogStorageConfiguration } from "@assay/schemas"
import { startFakeCatalog, type FakeCatalogAsset, type FakeCatalogOptions } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, listPaths, readAll } from "../testing/ask.ts"
import { openTestCatalog } from "../testing/open-test-catalog.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"

const PATHS = Array.from({ length: 13 }, (_, at) => `folder/${String(at).padStart(2, "0")}.bin`)
const FILES = Object.fromEntries(PATHS.map((path, at) => [path, sampleBytes(at, at + 1)]))
const HASH = "0".repeat(64)

async function start(asset: Partial<FakeCatalogAsset> = {}, options: Partial<FakeCatalogOptions> = {}) {
  const model = {
    org: "acme",
    team: "vision",
    name: "net",
    kind: "model",
    versions: [{ id: "1", files: FILES }],
  } as const
  const catalog = await startFakeCatalog({ assets: [{ ...model, ...asset }], ...options })
  onTestFinished(() => catalog.close())
  const open = (config: Partial<CatalogStorageConfiguration>) =>
    openTestCatalog({ host: catalog.url, key: "nvapi-fake-key", config })
  const { storage } = await open({ version: "1", original_version: "1" })
  const asked = () =>
    catalog.requests.map(({ url }) => url.replace(/^.*\/versions\/1\//, "").replace(/\?Expires.*/, ""))
  return { catalog, open, storage, asked }
}

describe("the listing of a catalog's version", () => {
  it.each([0, 1] as const)("joins all pages if the first has the number %i", async (firstPage) => {
    const { storage, asked } = await start({}, { pageSize: 5, firstPage })
    expect(await listPaths(storage)).toEqual(PATHS)
    const numbers = [firstPage + 1, firstPage + 2].map((number) => `files?page-size=1000&page-number=${number}`)
    expect(asked()).toEqual(["files?page-size=1000", ...numbers])
  })

  it("is requested once for all concurrent callers", async () => {
    const { storage, asked } = await start()
    await Promise.all([listPaths(storage), listPaths(storage), listPaths(storage, { prefix: "folder" })])
    await listPaths(storage)
    expect(await storage.stat(parseFilePath("folder/07.bin"))).toMatchObject({ size: 7 })
    expect(await codeOf(storage.stat(parseFilePath("folder/99.bin")))).toBe("not_found")
    expect(asked()).toEqual(["files?page-size=1000"])
  })

  it("is requested again if it is too long to be cached", async () => {
    const files = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`${at}.bin`, new Uint8Array()]))
    const { storage, asked } = await start({ versions: [{ id: "1", files }] })
    expect(await listPaths(storage)).toHaveLength(10_001)
    expect(await listPaths(storage, { after: "99" })).toHaveLength(111)
    expect(asked()).toHaveLength(22)
  })

  it("is refused if pages repeat", async () => {
    const { catalog, storage } = await start({}, { pageSize: 5 })
    const address = `${catalog.url}/v2/org/acme/team/vision/models/net/versions/1/files?page-size=1000`
    const answer = await fetch(address, { headers: { authorization: "Bearer nvapi-fake-key" } })
    const page = (await answer.json()) as object
    catalog.faults.add({ when: ({ url }) => url.endsWith("page-number=1"), fault: { kind: "answer", body: page } })
    await expect(listPaths(storage)).rejects.toThrow("the catalog lists a file twice")
  })

  it.each([
    ["a file without its size", { modelFiles: [{ path: "a.bin" }] }, "the catalog lists 'a.bin' without its size"],
    ["pages without end", { paginationInfo: { totalPages: 1e9 } }, "the catalog has more than 1000 pages of it"],
  ])("is refused for %s", async (_title, body, message) => {
    const { catalog, storage } = await start()
    catalog.faults.add({ fault: { kind: "answer", body } })
    await expect(listPaths(storage)).rejects.toThrow(message)
  })

  it("is empty if the catalog lists no files", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ fault: { kind: "answer", body: {} } })
    expect(await listPaths(storage)).toEqual([])
  })

  it("is not cached after a failure", async () => {
    const { catalog, storage } = await start()
    catalog.faults.add({ times: 1, fault: { kind: "refuse", status: 400 } })
    expect(await codeOf(listPaths(storage))).toBe("upstream_misconfigured")
    expect(await listPaths(storage)).toEqual(PATHS)
  })

  it("leaves out names that are not valid paths", async () => {
    const files = { "a//b": sampleBytes(1), "../c": sampleBytes(1), d: sampleBytes(1) }
    const { storage } = await start({ versions: [{ id: "1", files }] })
    expect(await listPaths(storage)).toEqual(["d"])
  })

  it("has the same ETag for a file in every listing, and another ETag in another version", async () => {
    const { open, storage } = await start({
      versions: [
        { id: "1", files: FILES },
        { id: "2", files: FILES },
      ],
    })
    const other = await open({ version: "2", original_version: "2" })
    const [file] = await Array.fromAsync(storage.list())
    const [again] = await Array.fromAsync(storage.list())
    const [next] = await Array.fromAsync(other.storage.list())
    expect(file).toEqual(again)
    expect(file).toMatchObject({ sha256: null, updatedAt: null, etag: expect.stringMatching(/^"[\w-]{43}"$/) })
    expect(next?.etag).not.toBe(file?.etag)
  })
})

describe("the listing of an organization that lists files only to its members", () => {
  const checksums = PATHS.map((path) => `${HASH}  ${path}\n`).join("")
  const files = { ...FILES, "checksums.blake3": Buffer.from(`${checksums}\n${HASH}  ../outside\nno line\n`) }

  it.each([400, 401] as const)(
    "takes the files of checksums.blake3 and requests their sizes, after a %i",
    async (status) => {
      const { storage, asked } = await start({ versions: [{ id: "1", files }], orgContextMissing: status })
      const listed = await Array.fromAsync(storage.list())
      expect(listed.map(({ path, size }) => [path, size])).toEqual([
        ["checksums.blake3", files["checksums.blake3"].byteLength],
        ...PATHS.map((path, at) => [path, at]),
      ])
      expect(await readAll(storage, "folder/12.bin")).toEqual(Buffer.from(sampleBytes(12, 13)))
      const before = asked().length
      expect(await listPaths(storage, { prefix: "folder" })).toEqual(PATHS)
      expect(asked()).toHaveLength(before)
    },
  )

  it("requests at most eight sizes at a time, and stops when the reader stops", async () => {
    const { catalog, storage, asked } = await start({ versions: [{ id: "1", files }], orgContextMissing: 400 })
    catalog.faults.add({ when: ({ path }) => path.includes("/folder/"), fault: { kind: "stall" } })
    const leaving = new AbortController()
    const listing = listPaths(storage, { signal: leaving.signal })
    await expect.poll(() => catalog.countOpenAnswers()).toBe(8)
    leaving.abort(new Error("nobody listens"))
    await expect(listing).rejects.toThrow("nobody listens")
    await expect.poll(() => catalog.countOpenAnswers()).toBe(0)
    expect(asked().filter((url) => url.includes("folder/"))).toHaveLength(8)
  })

  it("fails if one size can't be found", async () => {
    const { catalog, storage } = await start({ versions: [{ id: "1", files }], orgContextMissing: 400 })
    const isOther = ({ path }: { readonly path: string }) => /\/0[^3]\.bin$/.test(path)
    catalog.faults.add({ when: ({ path }) => path.endsWith("/03.bin"), fault: { kind: "refuse", status: 500 } })
    catalog.faults.add({ when: isOther, fault: { kind: "stall" } })
    expect(await codeOf(listPaths(storage))).toBe("upstream_failed")
    await expect.poll(() => catalog.countOpenAnswers()).toBe(0)
    catalog.faults.clear()
    expect(await listPaths(storage)).toHaveLength(PATHS.length + 1)
  })

  it("accepts the checksums as proof that a version exists", async () => {
    const { catalog, open } = await start({ versions: [{ id: "1", files }], orgContextMissing: 400 })
    const fault = { kind: "refuse", status: 401, description: "Org contex missing" } as const
    catalog.faults.add({ when: ({ url }) => !url.includes("/files"), fault })
    expect((await open({ version: "1" })).configuration).toMatchObject({ version: "1", original_version: "1" })
    expect(await codeOf(open({ version: "2" }))).toBe("upstream_missing")
    const latest = open({})
    await expect(latest).rejects.toThrow(
      "org 'acme' does not show the latest version to the key in secret 'catalog-key'",
    )
    expect(await codeOf(latest)).toBe("upstream_refused")
  })

  it("explains what is wrong if there are no checksums", async () => {
    const { storage } = await start({ orgContextMissing: 401 })
    const listing = listPaths(storage)
    await expect(listing).rejects.toThrow(
      "lists its files only to members of org 'acme' (UNAUTHORIZED Org contex missing)",
    )
    expect(await codeOf(listing)).toBe("upstream_refused")
  })
})
