import { createHash } from "node:crypto"
import { describe, expect, it } from "vitest"
import { listPaths, writeAll } from "../testing/ask.ts"
import { openTestCache } from "../testing/open-test-cache.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { cachePath } from "./cache-key.ts"
import { openCacheHome } from "./cache-home.ts"
import { settleCache } from "./settle-cache.ts"

const [A = "", B = "", C = ""] = ["a", "b", "c"]
  .map((text) => createHash("sha256").update(text).digest("hex"))
  .toSorted()
const FUTURE = Date.UTC(2100, 0)

/** Creates a cache whose index and files the test sets. */
async function start() {
  const { home, index } = await openTestCache()
  const { configuration, storage } = home
  const cacheHome = openCacheHome({ configuration, open: async () => storage, spoolFolder: "", newId: () => "" })
  const { signal } = new AbortController()
  return {
    home,
    index,
    putFile: (key: string, size = 10) => writeAll(home.storage, cachePath(key), sampleBytes(size)),
    putEntry: (key: string, size = 10) =>
      index.put({ key, digest: "", facts: { size, etag: null, sha256: null, updatedAt: null } }),
    settle: (options: { maxBytes?: number; olderThan?: number } = {}) =>
      settleCache({ home: cacheHome, index, maxBytes: 1000, olderThan: FUTURE, signal, ...options }),
  }
}

describe("settleCache", () => {
  it("removes entries whose bytes are missing or of another size, and keeps the others", async () => {
    const { home, index, putEntry, putFile, settle } = await start()
    await Promise.all([putEntry(A), putEntry(B), putEntry(C), putFile(B), putFile(C, 9)])
    await settle()
    expect([...index.entries.keys()]).toEqual([B])
    expect(await listPaths(home.storage)).toContain(cachePath(B))
  })

  it("removes files without an entry, and no files of others", async () => {
    const { home, putEntry, putFile, settle } = await start()
    await Promise.all([putEntry(B), putFile(A), putFile(B), putFile(C)])
    const others = ["cache/note.txt", `cache/00/${A}`, "filesets/default/a/file"]
    for (const path of others) await writeAll(home.storage, path, sampleBytes(3))
    await settle()
    expect(await listPaths(home.storage)).toEqual([...others, cachePath(B)].toSorted())
  })

  it("keeps new files, because another server may be about to add their entries", async () => {
    const { home, putFile, settle } = await start()
    await putFile(A)
    await settle({ olderThan: 0 })
    expect(await listPaths(home.storage)).toEqual([cachePath(A)])
  })

  it("evicts files above a lowered limit, and all files if the limit is 0", async () => {
    const { home, index, putEntry, putFile, settle } = await start()
    for (const key of [B, A, C]) {
      await putFile(key)
      await putEntry(key)
    }
    await settle({ maxBytes: 20 })
    expect([...index.entries.keys()]).toEqual([A, C])
    await settle({ maxBytes: 0 })
    expect(await listPaths(home.storage)).toEqual([])
  })
})
