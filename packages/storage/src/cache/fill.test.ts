import { createHash } from "node:crypto"
import { startFakeHub, type FakeHub } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { parseFilePath } from "../file-path.ts"
import type { ReadOptions, Storage } from "../storage.ts"
import { codeOf, listPaths, readAll } from "../testing/ask.ts"
import { openTestCache, withGate } from "../testing/open-test-cache.ts"
import { openTestHub } from "../testing/open-test-hub.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { expectBytes } from "../testing/expect-bytes.ts"

const MIB = 1_048_576
const PATH = parseFilePath("weights.bin")

/** Starts a hub with one large file, read through a cache. Without a limit, the bytes of the hub pass at once. */
async function start(content: Uint8Array, limit = Infinity) {
  const hub = await startFakeHub({
    repositories: [{ id: "acme/net", files: { [PATH]: { bytes: content, lfs: true } } }],
  })
  const remote = await openTestHub({ endpoint: hub.url, config: { read_chunk_size: 65_536 } })
  const gate = withGate(remote.storage, limit)
  const test = await openTestCache()
  onTestFinished(async () => {
    await test.cache.close()
    await hub.close()
  })
  const storage = test.open({ storage: gate.storage, configuration: remote.configuration })
  const status = async () => (await storage.cacheStatuses(await Array.fromAsync(remote.storage.list())))[0]
  return { ...test, hub, gate, storage, status, cachedPaths: () => listPaths(test.home.storage) }
}

/** Returns the ranges that were requested from the hub, sorted by start. */
function askedRanges(hub: FakeHub): readonly (readonly [number, number])[] {
  const ranges = hub.requests
    .filter(({ operation }) => operation === "object")
    .map(({ headers }) => /^bytes=(\d+)-(\d+)$/.exec(headers["range"] ?? "") ?? [])
    .map(([, first, last]) => [Number(first), Number(last)] as const)
  return ranges.toSorted(([a], [b]) => a - b)
}

function expectAskedOnce(hub: FakeHub, size: number): void {
  let next = 0
  for (const [first, last] of askedRanges(hub)) {
    expect(first).toBe(next)
    next = Math.min(last, size - 1) + 1
  }
  expect(next).toBe(size)
}

async function digestOf(storage: Storage, options?: ReadOptions): Promise<string> {
  const { bytes, release } = await storage.read(PATH, options)
  const hash = createHash("sha256")
  for await (const piece of bytes) {
    hash.update(piece)
    release?.(piece)
  }
  return hash.digest("hex")
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

describe("a file that is being filled into the read cache", () => {
  it("is requested once, byte by byte, however many readers it has", async () => {
    const content = sampleBytes(20 * MIB)
    const { hub, storage, status } = await start(content)
    const digests = await Promise.all(Array.from({ length: 16 }, () => digestOf(storage)))
    expect(new Set(digests)).toEqual(new Set([sha256(content)]))
    expectAskedOnce(hub, content.byteLength)
    await expect.poll(status).toBe("cached")
    expect(await digestOf(storage)).toBe(sha256(content))
    expectAskedOnce(hub, content.byteLength)
  })

  it("gives a later reader the bytes so far, and the rest as it arrives", async () => {
    const content = sampleBytes(4 * MIB)
    const { hub, gate, storage, status } = await start(content, MIB)
    const first = digestOf(storage)
    await expect.poll(status).toBe("caching")
    const later = digestOf(storage)
    gate.open()
    expect(await Promise.all([first, later])).toEqual([sha256(content), sha256(content)])
    expectAskedOnce(hub, content.byteLength)
  })

  it("does not wait for a slow reader, which still gets every byte", async () => {
    const content = sampleBytes(20 * MIB)
    const { hub, storage, status } = await start(content)
    const { bytes } = await storage.read(PATH)
    const slow = bytes[Symbol.asyncIterator]()
    const pieces = [(await slow.next()).value]
    expect(await digestOf(storage)).toBe(sha256(content))
    await expect.poll(status).toBe("cached")
    for (let step = await slow.next(); step.done !== true; step = await slow.next()) pieces.push(step.value)
    expect(sha256(Buffer.concat(pieces))).toBe(sha256(content))
    expectAskedOnce(hub, content.byteLength)
  })

  it.each([
    ["returns", "return"],
    ["is aborted", "abort"],
  ])("is filled to its end when its only reader %s", async (_title, way) => {
    const content = sampleBytes(4 * MIB)
    const { hub, gate, storage, status } = await start(content, MIB)
    const aborting = new AbortController()
    const { bytes } = await storage.read(PATH, { signal: aborting.signal })
    const reader = bytes[Symbol.asyncIterator]()
    await reader.next()
    if (way === "return") await reader.return?.()
    else aborting.abort(new Error("the reader is gone"))
    gate.open()
    await expect.poll(status).toBe("cached")
    expectAskedOnce(hub, content.byteLength)
  })

  it("gives a part from the bytes so far, or else from the remote backend, without waiting", async () => {
    const content = sampleBytes(4 * MIB)
    const { hub, gate, storage, status } = await start(content, 2 * MIB)
    const whole = digestOf(storage)
    await expect.poll(status).toBe("caching")
    /** Returns the number of requests to the hub for these ten bytes. */
    const read = async (from: number) => {
      const before = askedRanges(hub).length
      const bytes = await readAll(storage, PATH, { range: { kind: "from", start: from, end: from + 9 } })
      expect(bytes).toEqual(Buffer.from(content.subarray(from, from + 10)))
      return askedRanges(hub).length - before
    }
    await expect.poll(() => read(MIB)).toBe(0)
    expect(await read(3 * MIB)).toBe(1)
    gate.open()
    expect(await whole).toBe(sha256(content))
  })

  it("is not started by reading a part of a large file", async () => {
    const content = sampleBytes(65 * MIB)
    const { storage, status } = await start(content)
    const range = { kind: "suffix", length: 10 } as const
    expect(await readAll(storage, PATH, { range })).toEqual(Buffer.from(content.subarray(-10)))
    expect(await status()).toBe("not_cached")
  })

  it("is started by reading a part of a small file, which does not wait for it", async () => {
    const content = sampleBytes(4 * MIB)
    const { storage, status, cachedPaths } = await start(content)
    const range = { kind: "suffix", length: 10 } as const
    expect(await readAll(storage, PATH, { range })).toEqual(Buffer.from(content.subarray(-10)))
    await expect.poll(status).toBe("cached")
    expect(await cachedPaths()).toHaveLength(1)
  })

  it("is started and followed by a range that covers the whole file", async () => {
    const content = sampleBytes(4 * MIB)
    const { hub, storage } = await start(content)
    const read = await storage.read(PATH, { range: { kind: "from", start: 0 } })
    expect(read.range).toEqual({ start: 0, end: content.byteLength - 1 })
    expect(sha256(Buffer.concat(await Array.fromAsync(read.bytes)))).toBe(sha256(content))
    expectAskedOnce(hub, content.byteLength)
  })

  it("has the same descriptions, ranges and range errors as on the remote backend", async () => {
    const content = sampleBytes(MIB)
    const { hub, storage } = await start(content)
    const facts = await storage.stat(PATH)
    await digestOf(storage)
    await expect.poll(async () => storage.cacheStatuses([facts])).toEqual(["cached"])
    await hub.close()
    expect(await storage.stat(PATH)).toEqual(facts)
    const { file, range } = await storage.read(PATH, { range: { kind: "from", start: 5, end: 8 } })
    expect({ file, range }).toEqual({ file: facts, range: { start: 5, end: 8 } })
    expectBytes(await readAll(storage, PATH), content)
    const beyond = storage.read(PATH, { range: { kind: "from", start: MIB } })
    await expect(beyond).rejects.toMatchObject({ code: "range_not_satisfiable", context: { size: MIB } })
    expect(await codeOf(storage.read(parseFilePath("other")))).toBe("upstream_failed")
  })
})
