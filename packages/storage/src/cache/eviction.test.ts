import { createHash } from "node:crypto"
import { readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { startFakeHub } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { listPaths, readAll } from "../testing/ask.ts"
import { openTestCache } from "../testing/open-test-cache.ts"
import { openTestHub } from "../testing/open-test-hub.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"

const SIZE = 100_000
const FILES = Object.fromEntries(["a", "b", "c", "d"].map((path, seed) => [path, sampleBytes(SIZE, seed + 1)]))

/** Returns the size of all files, including growing ones. */
function sizeOfFiles(folder: string): number {
  try {
    const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).map((path) => join(folder, path))
    const stats = paths.map((path) => statSync(path, { throwIfNoEntry: false }))
    return stats.reduce((sum, file) => sum + (file?.isFile() === true ? file.size : 0), 0)
  } catch {
    // The folder does not exist yet, or was removed between the two calls.
    return 0
  }
}

async function start(maxBytes: number) {
  const hub = await startFakeHub({ repositories: [{ id: "acme/net", files: FILES }] })
  const remote = await openTestHub({ endpoint: hub.url, config: { read_chunk_size: 4000 } })
  const test = await openTestCache({ maxBytes })
  onTestFinished(async () => {
    await test.cache.close()
    await hub.close()
  })
  const storage = test.open(remote)
  const statuses = async () => {
    const files = await Array.fromAsync(storage.list())
    const found = await storage.cacheStatuses(files)
    return files.map(({ path }, index) => `${path} ${found[index]}`)
  }
  const cache = async (path: string) => {
    const kept = await storage.cache(await remote.storage.stat(parseFilePath(path)))
    await expect.poll(statuses).not.toContain(`${path} caching`)
    return kept
  }
  return { ...test, hub, storage, statuses, keep: cache }
}

describe("a read cache with a limit", () => {
  it("makes room by removing the least recently used file", async () => {
    const { home, storage, statuses, keep } = await start(2 * SIZE)
    await keep("a")
    await keep("b")
    await readAll(storage, "a")
    await keep("c")
    expect(await statuses()).toEqual(["a cached", "b not_cached", "c cached", "d not_cached"])
    expect(await listPaths(home.storage)).toHaveLength(2)
    await keep("d")
    expect(await statuses()).toEqual(["a not_cached", "b not_cached", "c cached", "d cached"])
  })

  it("reports that a larger file can't be cached, and still reads it", async () => {
    const { home, storage, statuses, keep } = await start(SIZE - 1)
    expect(await keep("a")).toBe(false)
    expect(await readAll(storage, "a")).toEqual(Buffer.from(FILES["a"] ?? []))
    expect(await statuses()).toEqual(["a", "b", "c", "d"].map((path) => `${path} not_cacheable`))
    expect(await listPaths(home.storage)).toEqual([])
  })

  it("never holds more than the limit, including files being filled", async () => {
    const { home, index, storage } = await start(2 * SIZE)
    const folder = home.configuration.type === "local" ? home.configuration.path : ""
    let most = 0
    const looking = setInterval(() => (most = Math.max(most, sizeOfFiles(folder))), 1)
    onTestFinished(() => clearInterval(looking))
    const paths = Object.keys(FILES)
    for (let round = 0; round < 5; round++) {
      const contents = await Promise.all(paths.map((path) => readAll(storage, path)))
      expect(contents).toEqual(paths.map((path) => Buffer.from(FILES[path] ?? [])))
      expect(index.entries.size).toBeLessThanOrEqual(2)
    }
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(2 * SIZE)
  })

  it("lets a reader finish after its file was evicted", async () => {
    const { hub, storage, keep, statuses } = await start(SIZE)
    await keep("a")
    const { bytes } = await storage.read(parseFilePath("a"))
    const reader = bytes[Symbol.asyncIterator]()
    const pieces = [(await reader.next()).value]
    await keep("b")
    expect((await statuses()).slice(0, 2)).toEqual(["a not_cached", "b cached"])
    await hub.close()
    for (let step = await reader.next(); step.done !== true; step = await reader.next()) pieces.push(step.value)
    expect(Buffer.concat(pieces)).toEqual(Buffer.from(FILES["a"] ?? []))
  })

  it("removes the files that the caller names", async () => {
    const { home, index, storage, keep } = await start(4 * SIZE)
    await keep("a")
    await keep("b")
    const [a] = await Array.fromAsync(storage.list({ prefix: "a" }))
    if (a !== undefined) await storage.uncache([a])
    const digests = [...index.entries.values()].map(({ digest }) => digest)
    expect(digests).toEqual([
      createHash("sha256")
        .update(FILES["b"] ?? "")
        .digest("hex"),
    ])
    expect(await listPaths(home.storage)).toHaveLength(1)
  })
})
