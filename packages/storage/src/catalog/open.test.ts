import type { CatalogStorageConfiguration } from "@assay/schemas"
import {
  type FakeCatalog,
  type FakeCatalogAsset,
  type FakeCatalogOptions,
  startFakeCatalog,
  verifies,
} from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { openStorage } from "../open-storage.ts"
import { STORAGE_CAPABILITIES } from "../storage.ts"
import { codeOf, listPaths, readAll } from "../testing/ask.ts"
import { createTestRemote } from "../testing/create-test-remote.ts"
import { describeStorageContract } from "../testing/describe-storage-contract.ts"
import { openTestCatalog } from "../testing/open-test-catalog.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"

const READ_CHUNK_SIZE = 4000

const WAYS: readonly (readonly [string, Partial<FakeCatalogAsset>, string])[] = [
  ["that leads to signed addresses", {}, "fakefakefakefakefakefakefakefake"],
  ["that gives files itself", { singleFile: "direct" }, "nvapi-fake-key"],
  ["that lists files only by their addresses", { singleFile: "missing" }, "nvapi-fake-key"],
]

for (const [title, way, key] of WAYS) {
  describeStorageContract(`catalog storage on a catalog ${title}`, {
    capabilities: STORAGE_CAPABILITIES.catalog,
    async open(files) {
      const asset = { org: "acme", team: "vision", name: "net", kind: "model", ...way } as const
      const catalog = await startFakeCatalog({ assets: [{ ...asset, versions: [{ id: "1", files }] }] })
      const { storage } = await openTestCatalog({
        host: catalog.url,
        key,
        config: { read_chunk_size: READ_CHUNK_SIZE },
      })
      return {
        storage,
        readChunkSize: READ_CHUNK_SIZE,
        countOpenReads: async () => catalog.countOpenAnswers(),
        close: () => catalog.close(),
      }
    },
  })
}

const FILES = { "a.bin": sampleBytes(10) }
const MODEL: FakeCatalogAsset = {
  org: "acme",
  team: "vision",
  name: "net",
  kind: "model",
  versions: [
    { id: "0", files: FILES },
    { id: "1.0", files: { ...FILES, "b.bin": sampleBytes(20) } },
  ],
}

async function start(asset: Partial<FakeCatalogAsset> = {}, options: Partial<FakeCatalogOptions> = {}) {
  const catalog = await startFakeCatalog({ assets: [{ ...MODEL, ...asset }], ...options })
  onTestFinished(() => catalog.close())
  return catalog
}

function asked({ requests, url }: FakeCatalog): readonly string[] {
  return requests.map(({ host, url: path }) => `${host} ${path.replaceAll(url, "")}`)
}

describe("openCatalogStorage", () => {
  it(
    "pins the latest version and keeps the requested one in the configuration",
    verifies("brief.storage.catalog.version", "brief.storage.catalog.original-version"),
    async () => {
      const catalog = await start()
      for (const version of [undefined, "latest", ""]) {
        const { configuration } = await openTestCatalog({
          host: catalog.url,
          config: version === undefined ? {} : { version },
        })
        expect(configuration).toEqual({
          type: "catalog",
          org: "acme",
          team: "vision",
          target: "net",
          target_type: "model",
          version: "1.0",
          original_version: "latest",
          api_key_secret: "catalog-key",
          host: catalog.url,
          read_chunk_size: 1_048_576,
        })
      }
    },
  )

  it(
    "keeps a given version after it has checked that the version exists",
    verifies("brief.storage.catalog.original-version"),
    async () => {
      const catalog = await start()
      const { storage, configuration } = await openTestCatalog({ host: catalog.url, config: { version: "0" } })
      expect(configuration).toMatchObject({ version: "0", original_version: "0" })
      expect(asked(catalog).at(-1)).toBe("api /v2/org/acme/team/vision/models/net/versions/0")
      expect(await listPaths(storage)).toEqual(["a.bin"])
    },
  )

  it("opens a pinned version without a request", async () => {
    const catalog = await start()
    const config = { version: "0", original_version: "latest" }
    const { configuration } = await openTestCatalog({ host: catalog.url, config })
    expect(configuration).toMatchObject(config)
    expect(catalog.requests).toEqual([])
  })

  it("reads the pinned version after a newer one was published", async () => {
    const catalog = await start()
    const pinned = { version: "0", original_version: "latest" }
    const { storage } = await openTestCatalog({ host: catalog.url, config: pinned })
    expect(await codeOf(storage.stat(parseFilePath("b.bin")))).toBe("not_found")
    expect(await readAll(storage, "a.bin")).toEqual(Buffer.from(FILES["a.bin"]))
  })

  it.each(["", "no-team"])("requests no team if the team is '%s'", async (team) => {
    const catalog = await startFakeCatalog({
      assets: [{ org: "acme", name: "net", kind: "model", versions: MODEL.versions }],
    })
    onTestFinished(() => catalog.close())
    const { storage } = await openTestCatalog({ host: catalog.url, config: { team } })
    expect(await readAll(storage, "a.bin")).toEqual(Buffer.from(FILES["a.bin"]))
    expect(asked(catalog)).toContain("token /token?service=ngc&scope=group/ngc:acme")
    expect(asked(catalog)).toContain("api /v2/org/acme/models/net")
  })

  it("reads a resource, which is the default target_type", verifies("brief.storage.catalog.target-type"), async () => {
    const catalog = await start({ kind: "resource" })
    const config: CatalogStorageConfiguration = {
      type: "catalog",
      org: "acme",
      team: "vision",
      target: "net",
      host: catalog.url,
      api_key_secret: "keys/mine",
    }
    const remote = createTestRemote({ "keys/mine": "nvapi-fake-key" })
    const { storage, configuration } = await openStorage(config, { remote })
    expect(configuration).toMatchObject({ target_type: "resource", version: "1.0" })
    expect(await listPaths(storage)).toEqual(["a.bin", "b.bin"])
    expect(asked(catalog)[0]).toBe("api /v2/org/acme/team/vision/resources/net")
  })

  it("finds a catalog below a path of its host", async () => {
    const catalog = await start()
    const { remote } = await openTestCatalog({ host: catalog.url })
    const asked: string[] = []
    const transport: typeof remote.transport = (request, signal) => {
      asked.push(request.path)
      return remote.transport({ ...request, path: request.path.replace("/mirror", "") }, signal)
    }
    const host = `${catalog.url}/mirror/`
    const { storage } = await openStorage(
      {
        type: "catalog",
        org: "acme",
        team: "vision",
        target: "net",
        target_type: "model",
        host,
        api_key_secret: "catalog-key",
      },
      { remote: { ...remote, transport } },
    )
    expect(await listPaths(storage)).toEqual(["a.bin", "b.bin"])
    expect(asked.slice(0, 2)).toEqual([
      "/mirror/token?service=ngc&scope=group/ngc:acme&scope=group/ngc:acme/vision",
      "/mirror/v2/org/acme/team/vision/models/net",
    ])
  })

  it("refuses a version that is not completely uploaded", async () => {
    const catalog = await start({ versions: [{ id: "2", files: FILES, status: "UPLOAD_PENDING" }] })
    for (const config of [{}, { version: "2" }]) {
      const opening = openTestCatalog({ host: catalog.url, config })
      await expect(opening).rejects.toThrow("not completely uploaded (its status is 'UPLOAD_PENDING')")
      expect(await codeOf(opening)).toBe("upstream_missing")
    }
  })

  it("reports that there is no version yet", async () => {
    const catalog = await start({ versions: [] })
    await expect(openTestCatalog({ host: catalog.url })).rejects.toThrow("it has no version yet")
  })

  it("ends with the reason when it is aborted", async () => {
    const catalog = await start()
    const { remote } = await openTestCatalog({ host: catalog.url })
    const config = { type: "catalog", org: "acme", team: "vision", target: "net", target_type: "model" } as const
    for (const fault of [{ kind: "stall" }, { kind: "stall", after: 3 }, { kind: "refuse", status: 400 }] as const) {
      catalog.faults.clear()
      catalog.faults.add({ when: ({ host }) => host === "api", fault })
      if (fault.kind === "refuse") catalog.faults.add({ fault: { kind: "stall", after: 3 } })
      const leaving = new AbortController()
      const context = { remote, signal: leaving.signal }
      const opening = openStorage({ ...config, host: catalog.url, api_key_secret: "catalog-key" }, context)
      await expect.poll(() => catalog.countOpenAnswers()).toBe(1)
      leaving.abort(new Error("nobody waits"))
      await expect(opening).rejects.toThrow("nobody waits")
      await expect.poll(() => catalog.countOpenAnswers()).toBe(0)
    }
  })

  it("reports that a secret is missing", async () => {
    const catalog = await start()
    const opening = openTestCatalog({ host: catalog.url, config: { api_key_secret: "shared/other" } })
    expect(await codeOf(opening)).toBe("secret_not_readable")
    expect(catalog.requests).toEqual([])
  })
})
