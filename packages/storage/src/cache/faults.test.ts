import { createHash } from "node:crypto"
import { readdir, rm, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { startFakeHub, verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { openLocalStorage } from "../local/open.ts"
import type { OpenedStorage } from "../open-storage.ts"
import { codeOf, readAll } from "../testing/ask.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { openTestCache, withGate, type TestCacheOptions } from "../testing/open-test-cache.ts"
import { openTestHub } from "../testing/open-test-hub.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { expectBytes } from "../testing/expect-bytes.ts"

const MIB = 1_048_576
const PATH = parseFilePath("data/weights.bin")
const CONTENT = sampleBytes(2 * MIB)

/** Starts a hub with one file, and its storage behind a cache. */
async function start({ limit = Infinity, ...options }: TestCacheOptions & { readonly limit?: number } = {}) {
  const hub = await startFakeHub({
    repositories: [{ id: "acme/net", files: { [PATH]: { bytes: CONTENT, lfs: true } } }],
  })
  const remote = await openTestHub({ endpoint: hub.url, config: { read_chunk_size: 65_536 } })
  const gate = withGate(remote.storage, limit)
  const test = await openTestCache(options)
  onTestFinished(async () => {
    await test.cache.close()
    await hub.close()
  })
  const behindGate = { storage: gate.storage, configuration: remote.configuration }
  const storage = test.open(behindGate)
  const status = async () => (await storage.cacheStatuses([await remote.storage.stat(PATH)]))[0]
  return { ...test, hub, remote: behindGate, gate, storage, status, folder: folderOf(test.home) }
}

function folderOf({ configuration }: OpenedStorage): string {
  return configuration.type === "local" ? configuration.path : ""
}

async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

describe("a failing fill of the read cache", () => {
  it("gives its readers the backend's error and keeps nothing, and the next fill starts again", async () => {
    const { hub, storage, status, folder, warnings } = await start()
    hub.faults.add({ when: ({ operation }) => operation === "object", fault: { kind: "cut", after: 100_000 } })
    const readers = Array.from({ length: 3 }, () => codeOf(readAll(storage, PATH)))
    expect(new Set(await Promise.all(readers))).toEqual(new Set(["upstream_failed"]))
    await expect.poll(status).toBe("not_cached")
    expect(await filesIn(folder)).toEqual([])
    hub.faults.clear()
    expectBytes(await readAll(storage, PATH), CONTENT)
    await expect.poll(status).toBe("cached")
    expect(warnings).toEqual([])
  })

  it("gives no reader a complete file whose bytes do not match the backend's digest", async () => {
    const { hub, storage, status, folder } = await start()
    hub.faults.add({ when: ({ operation }) => operation === "object", fault: { kind: "wrong-byte", at: 1000 } })
    const { bytes } = await storage.read(PATH)
    const pieces: Uint8Array[] = []
    const reading = (async () => {
      for await (const piece of bytes) pieces.push(piece)
    })()
    expect(await codeOf(reading)).toBe("upstream_failed")
    expect(Buffer.concat(pieces).byteLength).toBeLessThan(CONTENT.byteLength)
    await expect.poll(status).toBe("not_cached")
    expect(await filesIn(folder)).toEqual([])
  })

  it.each([1000, -1000])("gives no reader a complete file of %i bytes more than its size", async (more) => {
    const folder = await makeTestFolder()
    await writeFile(join(folder, "file"), CONTENT)
    const remote = openLocalStorage({ type: "local", path: folder, read_chunk_size: 65_536 })
    const facts = await remote.stat(parseFilePath("file"))
    const wrong = { ...facts, size: facts.size - more }
    const { open } = await openTestCache()
    const storage = open({
      storage: { ...remote, read: async (path, options) => ({ ...(await remote.read(path, options)), file: wrong }) },
      configuration: { type: "catalog", org: "o", team: "", target: "t", version: "1", api_key_secret: "s" },
    })
    expect(await codeOf(readAll(storage, "file"))).toBe("upstream_failed")
    await expect.poll(() => storage.cacheStatuses([wrong])).toEqual(["not_cached"])
  })

  it("sends its readers to the remote backend when it is aborted, and leaves nothing behind", async () => {
    const { cache, gate, storage, folder, index } = await start({ limit: MIB })
    const { bytes } = await storage.read(PATH)
    const reader = bytes[Symbol.asyncIterator]()
    const pieces = [(await reader.next()).value]
    await cache.close()
    gate.open()
    for (let step = await reader.next(); step.done !== true; step = await reader.next()) pieces.push(step.value)
    expectBytes(Buffer.concat(pieces), CONTENT)
    expect(await filesIn(folder)).toEqual([])
    expect(index.entries.size).toBe(0)
  })
})

describe("a read cache that can't be used", () => {
  it("is reported, and the bytes come from the remote backend", async () => {
    const folder = await makeTestFolder()
    const path = join(folder, "no-folder")
    await writeFile(path, "a file")
    const local = { type: "local", path } as const
    const { storage, status, warnings } = await start({
      home: { storage: openLocalStorage(local), configuration: local },
    })
    expectBytes(await readAll(storage, PATH), CONTENT)
    expect(await status()).toBe("not_cached")
    expect(warnings).toEqual([expect.stringContaining("Could not cache 'data/weights.bin': Error: ENOTDIR")])
  })

  it.each([
    ["are missing", (file: string) => rm(file)],
    ["are too few", (file: string) => truncate(file, 1000)],
    ["are too many", (file: string) => writeFile(file, sampleBytes(3 * MIB))],
  ])("fills a file again if its bytes %s", async (_title, spoil) => {
    const { hub, storage, status, folder } = await start()
    await readAll(storage, PATH)
    await expect.poll(status).toBe("cached")
    const [file = ""] = await filesIn(folder)
    await spoil(file)
    hub.faults.add({ when: ({ operation }) => operation === "resolve", fault: { kind: "refuse", status: 403 } })
    await expect(readAll(storage, PATH)).rejects.toMatchObject({ name: "AssayError" })
    await expect.poll(status).toBe("not_cached")
    hub.faults.clear()
    expect(await readAll(storage, PATH, { range: { kind: "from", start: 5, end: 9 } })).toHaveLength(5)
    expectBytes(await readAll(storage, PATH), CONTENT)
    await expect.poll(status).toBe("cached")
    const cached = await readAll(openLocalStorage({ type: "local", path: folder }), file.slice(folder.length + 1))
    expectBytes(cached, CONTENT)
  })
})

describe("a cached copy whose bytes changed on the disk", () => {
  /** Opens a storage with a cached file of `size` bytes in which one bit is flipped at `position`. */
  async function startDamaged(size: number, position: number) {
    const content = sampleBytes(size)
    const hub = await startFakeHub({
      repositories: [{ id: "acme/net", files: { [PATH]: { bytes: content, lfs: true } } }],
    })
    const remote = await openTestHub({ endpoint: hub.url, config: { read_chunk_size: 65_536 } })
    const test = await openTestCache()
    onTestFinished(async () => {
      await test.cache.close()
      await hub.close()
    })
    const storage = test.open(remote)
    const status = async () => (await storage.cacheStatuses([await remote.storage.stat(PATH)]))[0]
    expectBytes(await readAll(storage, PATH), content)
    await expect.poll(status).toBe("cached")
    const [file = ""] = await filesIn(folderOf(test.home))
    const spoilt = Buffer.from(content)
    spoilt[position] = (spoilt[position] ?? 0) ^ 1
    await writeFile(file, spoilt)
    return { ...test, content: Buffer.from(content), storage, status }
  }

  it.each([100, 300_000])(
    "is not read if it has %i bytes: they come from the backend and are cached again",
    verifies("cache.damage"),
    async (size) => {
      const { storage, content, status, warnings } = await startDamaged(size, size - 1)
      expectBytes(await readAll(storage, PATH), content)
      expect(warnings).toEqual([expect.stringContaining("Could not read from the read cache")])
      await expect.poll(status).toBe("cached")
      expectBytes(await readAll(storage, PATH), content)
      expect(warnings).toHaveLength(1)
    },
  )

  it(
    "ends a read of many pieces before the last one, and the next read comes from the backend",
    verifies("cache.damage"),
    async () => {
      const { storage, content, status } = await startDamaged(3 * MIB + 5, 100)
      const { bytes } = await storage.read(PATH)
      let read = 0
      const reading = (async () => {
        for await (const piece of bytes) read += piece.byteLength
      })()
      expect(await codeOf(reading)).toBe("content_damaged")
      expect(read).toBeLessThan(content.byteLength)
      expectBytes(await readAll(storage, PATH), content)
      await expect.poll(status).toBe("cached")
      expectBytes(await readAll(storage, PATH), content)
    },
  )
})

describe("two servers with one default storage", () => {
  it("can fill the same file at the same time, and one reads what the other has cached", async () => {
    const { hub, remote, storage, home, index, folder } = await start()
    const other = await openTestCache({ home, index })
    onTestFinished(() => other.cache.close())
    const both = [storage, other.open(remote)]
    for (const content of await Promise.all(both.map((one) => readAll(one, PATH)))) {
      expectBytes(content, CONTENT)
    }
    await expect.poll(() => index.entries.size).toBe(1)
    await expect.poll(async () => (await filesIn(folder)).length).toBe(1)
    expect(index.entries.values().next().value).toMatchObject({
      digest: createHash("sha256").update(CONTENT).digest("hex"),
    })
    await hub.close()
    for (const one of both) expectBytes(await readAll(one, PATH), CONTENT)
  })
})
