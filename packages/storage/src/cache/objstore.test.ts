import { createHash } from "node:crypto"
import { readdir } from "node:fs/promises"
import { startFakeObjstore, type FakeObjstore } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { openTestObjstore } from "../testing/open-test-objstore.ts"
import type { OpenedStorage } from "../open-storage.ts"
import { STORAGE_CAPABILITIES, type Storage } from "../storage.ts"
import { readAll, writeAll } from "../testing/ask.ts"
import { describeStorageContract } from "../testing/describe-storage-contract.ts"
import { expectBytes } from "../testing/expect-bytes.ts"
import { openTestCache } from "../testing/open-test-cache.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"

const MIB = 1_048_576
const PATH = parseFilePath("data/file")

async function startStore(): Promise<FakeObjstore> {
  const store = await startFakeObjstore({ buckets: { files: {}, home: {} } })
  onTestFinished(() => store.close())
  return store
}

async function openBucket(store: FakeObjstore, bucket: string, read_chunk_size = 65_536): Promise<OpenedStorage> {
  const { storage } = await openTestObjstore(store, { bucket, read_chunk_size })
  return { storage, configuration: { type: "objstore", bucket, endpoint_url: store.endpoint, read_chunk_size } }
}

async function start(home?: OpenedStorage, store?: FakeObjstore) {
  const used = store ?? (await startStore())
  const remote = await openBucket(used, "files")
  const test = await openTestCache(home === undefined ? {} : { home })
  onTestFinished(() => test.cache.close())
  const storage = test.open(remote)
  const status = async () => (await storage.cacheStatuses([await remote.storage.stat(PATH)]))[0]
  return { ...test, store: used, storage, status }
}

async function digestOf(storage: Storage): Promise<string> {
  const hash = createHash("sha256")
  const { bytes, release } = await storage.read(PATH)
  for await (const piece of bytes) {
    hash.update(piece)
    release?.(piece)
  }
  return hash.digest("hex")
}

function askedSince(store: FakeObjstore, start: number): readonly string[] {
  return store.requests.slice(start).map(({ operation, bucket }) => `${operation} ${bucket}`)
}

describeStorageContract("an object store, read through the cache", {
  capabilities: STORAGE_CAPABILITIES.objstore,
  async open(files) {
    const store = await startFakeObjstore()
    for (const [path, bytes] of Object.entries(files)) store.write(path, bytes)
    const remote = await openBucket(store, "files", 4000)
    const { cache, open } = await openTestCache()
    return {
      storage: open(remote),
      readChunkSize: 4000,
      async close() {
        await cache.close()
        await store.close()
      },
    }
  },
})

describe("a cached file of an object store", () => {
  it("is only requested for its ETag", async () => {
    const { store, storage, status } = await start()
    store.write(PATH, sampleBytes(MIB))
    await readAll(storage, PATH)
    await expect.poll(status).toBe("cached")
    const before = store.requests.length
    expectBytes(await readAll(storage, PATH), sampleBytes(MIB))
    expect(await readAll(storage, PATH, { range: { kind: "suffix", length: 3 } })).toHaveLength(3)
    expect(askedSince(store, before)).toEqual(["HeadObject files", "HeadObject files"])
  })

  it("is read in its current version after any change", async () => {
    const { store, storage, status } = await start()
    const contents = [1, 2, 3].map((seed) => sampleBytes(1000, seed))
    store.write(PATH, contents[0] ?? "")
    expectBytes(await readAll(storage, PATH), contents[0] ?? new Uint8Array())
    await expect.poll(status).toBe("cached")
    store.write(PATH, contents[1] ?? "")
    expect(await status()).toBe("not_cached")
    expectBytes(await readAll(storage, PATH), contents[1] ?? new Uint8Array())
    await writeAll(storage, PATH, contents[2] ?? new Uint8Array())
    expectBytes(await readAll(storage, PATH), contents[2] ?? new Uint8Array())
    store.write(PATH, contents[0] ?? "")
    const before = store.requests.length
    expectBytes(await readAll(storage, PATH), contents[0] ?? new Uint8Array())
    expect(askedSince(store, before)).toEqual(["HeadObject files"])
  })

  it("has its current description even if its bytes were cached earlier", async () => {
    const { store, storage, status } = await start()
    store.write(PATH, sampleBytes(1000), { headers: { "x-amz-meta-sha256": "0".repeat(63) } })
    await readAll(storage, PATH)
    await expect.poll(status).toBe("cached")
    const sha256 = createHash("sha256").update(sampleBytes(1000)).digest("hex")
    store.write(PATH, sampleBytes(1000), { headers: { "x-amz-meta-sha256": sha256 } })
    const { file, bytes } = await storage.read(PATH)
    await bytes[Symbol.asyncIterator]().return?.()
    expect(file).toEqual(await storage.stat(PATH))
    expect(file.sha256).toBe(sha256)
  })

  it("is cached as it was received if it changes between the request for its ETag and the read", async () => {
    const { store, storage, status } = await start()
    store.write(PATH, sampleBytes(1000, 1))
    const isRead = ({ operation }: { readonly operation: string }) => operation === "GetObject"
    store.faults.add({ when: isRead, times: 1, fault: { kind: "latency", ms: 100 } })
    const reading = storage.read(PATH)
    await expect.poll(() => store.requests.some(isRead)).toBe(true)
    store.write(PATH, sampleBytes(2000, 2))
    const { file, bytes } = await reading
    expect(file.size).toBe(2000)
    expect(Buffer.concat(await Array.fromAsync(bytes))).toEqual(Buffer.from(sampleBytes(2000, 2)))
    await expect.poll(status).toBe("cached")
    expect(await readAll(storage, PATH)).toEqual(Buffer.from(sampleBytes(2000, 2)))
    store.write(PATH, sampleBytes(1000, 1))
    expect(await readAll(storage, PATH)).toEqual(Buffer.from(sampleBytes(1000, 1)))
  })
})

describe("a read cache on an object store", () => {
  it("is sent complete files, and keeps none of them on this machine", async () => {
    const store = await startStore()
    const { storage, status, spoolFolder } = await start(await openBucket(store, "home"), store)
    store.write(PATH, sampleBytes(20 * MIB))
    const digests = await Promise.all([digestOf(storage), digestOf(storage)])
    expect(new Set(digests).size).toBe(1)
    await expect.poll(status, { timeout: 10_000 }).toBe("cached")
    const [key = ""] = store.objects("home")
    expect(key).toMatch(/^cache\/([0-9a-f]{2})\/\1[0-9a-f]{62}$/)
    expect(createHash("sha256").update(store.read(key, "home")).digest("hex")).toBe(digests[0])
    await expect.poll(() => readdir(spoolFolder)).toEqual([])
    const before = store.requests.length
    expect(await digestOf(storage)).toBe(digests[0])
    expect(new Set(askedSince(store, before))).toEqual(new Set(["HeadObject files", "GetObject home"]))
  })

  it("keeps nothing of a file that can't be stored, which is still read", async () => {
    const store = await startStore()
    const { storage, status, spoolFolder, warnings } = await start(await openBucket(store, "home"), store)
    store.write(PATH, sampleBytes(MIB))
    const isSent = ({ method }: { readonly method: string }) => method === "PUT"
    store.faults.add({ when: isSent, fault: { kind: "refuse", status: 403, code: "AccessDenied" } })
    expectBytes(await readAll(storage, PATH), sampleBytes(MIB))
    await expect.poll(status).toBe("not_cached")
    expect(await readdir(spoolFolder)).toEqual([])
    expect(warnings).toEqual([expect.stringContaining("Could not cache 'data/file'")])
  })

  it("lets a reader finish after its file was evicted, from the remote backend", async () => {
    const store = await startStore()
    const { storage, status } = await start(await openBucket(store, "home"), store)
    store.write(PATH, { size: 48 * MIB })
    const digest = await digestOf(storage)
    await expect.poll(status, { timeout: 10_000 }).toBe("cached")
    const before = store.requests.length
    const hash = createHash("sha256")
    const { file, bytes } = await storage.read(PATH)
    let isFirst = true
    for await (const piece of bytes) {
      hash.update(piece)
      if (isFirst) await storage.uncache([file])
      isFirst = false
    }
    expect(hash.digest("hex")).toBe(digest)
    expect(askedSince(store, before)).toContain("GetObject files")
    expect(store.objects("home")).toEqual([])
  })
})
