import { startFakeObjstore, type ObjstoreFault } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, readAll, writeAll } from "../testing/ask.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { openTestObjstore, type TestObjstoreOptions } from "../testing/open-test-objstore.ts"

const MIB = 1024 * 1024
const FILE = parseFilePath("file")
/** Read in four parts. */
const LARGE = sampleBytes(25 * MIB)

/** Opens a storage with a large file whose requests have a `fault` a given number of times. */
async function openWith(fault: ObjstoreFault, times = Infinity, options: TestObjstoreOptions = {}) {
  const opened = await openTestObjstore(startFakeObjstore(), { read_chunk_size: MIB, ...options })
  opened.store.write(FILE, LARGE)
  opened.store.faults.add({ when: ({ operation }) => operation === "GetObject", fault, times })
  return opened
}

describe("a read of an object", () => {
  it("requests parts in parallel, all of the version that it found first", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore({ latencyMs: 30 }), { read_chunk_size: MIB })
    store.write(FILE, LARGE)
    const { file, bytes } = await storage.read(FILE)
    expect(Buffer.concat(await Array.fromAsync(bytes)).equals(LARGE)).toBe(true)
    const [first, ...others] = store.requests.map(({ headers }) => [headers["range"], headers["if-match"]])
    expect(first).toEqual([`bytes=0-${8 * MIB - 1}`, undefined])
    expect(others.map(([, match]) => match)).toEqual([file.etag, file.etag, file.etag])
    expect(Math.max(...store.requests.map(({ beside }) => beside))).toBeGreaterThan(1)
  })

  it.each<[string, ObjstoreFault, number]>([
    ["continues after an interruption", { kind: "cut", after: 3 * MIB }, 3],
    ["continues after an early end", { kind: "end-early", after: 3 * MIB }, 2],
    ["sends the request again after a failure of the store", { kind: "refuse", status: 503, retryAfter: 2 }, 2],
  ])("%s", async (_title, fault, times) => {
    const { storage, waits } = await openWith(fault, times)
    expect(Buffer.compare(await readAll(storage, FILE), LARGE)).toBe(0)
    expect(waits).toHaveLength(times)
  })

  it("sends the request again after a long silence", async () => {
    const { storage, waits } = await openWith({ kind: "stall", after: MIB }, 1, { silenceMs: 500 })
    expect(Buffer.compare(await readAll(storage, FILE), LARGE)).toBe(0)
    expect(waits).not.toEqual([])
  })

  it.each<[string, ObjstoreFault]>([
    ["is interrupted again and again", { kind: "cut", after: 1000 }],
    ["has more bytes than announced", { kind: "run-on", extra: 1 }],
    ["is the whole file instead of a part", { kind: "ignore-range" }],
    ["is a page of a proxy", { kind: "proxy-page", status: 502 }],
  ])("fails if it %s", async (_title, fault) => {
    const { storage } = await openWith(fault)
    expect(await codeOf(readAll(storage, FILE, { range: { kind: "from", start: 5 } }))).toBe("upstream_failed")
  })

  it.each([false, true])(
    "ends if another version replaces it, whether or not the store obeys If-Match: %s",
    async (ignores) => {
      const { store, storage } = await openTestObjstore(startFakeObjstore(), { read_chunk_size: MIB })
      store.write(FILE, LARGE)
      const { bytes } = await storage.read(FILE)
      store.faults.add({ fault: { kind: "other-version", ignoreIfMatch: ignores } })
      expect(await codeOf(Array.fromAsync(bytes))).toBe("storage_changed")
    },
  )

  it("recognizes an empty file even if it requested a range", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    store.write(FILE, "")
    store.faults.add({ fault: { kind: "ignore-range" } })
    expect(await readAll(storage, FILE)).toHaveLength(0)
    for (const range of [{ kind: "suffix", length: 1 } as const, { kind: "from", start: 0 } as const]) {
      expect(await codeOf(storage.read(FILE, { range }))).toBe("range_not_satisfiable")
    }
  })

  it("ends if the file is deleted meanwhile", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore(), { read_chunk_size: MIB })
    store.write(FILE, LARGE)
    const { bytes } = await storage.read(FILE)
    store.delete(FILE)
    expect(await codeOf(Array.fromAsync(bytes))).toBe("storage_changed")
  })

  it("never returns the last piece of bytes that do not match the stored digest", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    await writeAll(storage, FILE, LARGE.subarray(0, 10_000))
    store.faults.add({ fault: { kind: "wrong-byte", at: 100 } })
    const { bytes } = await storage.read(FILE)
    const pieces: Uint8Array[] = []
    const reading = (async () => {
      for await (const piece of bytes) pieces.push(piece)
    })()
    await expect(reading).rejects.toThrow("its bytes have the digest")
    expect(Buffer.concat(pieces)).toHaveLength(8000)
    // A part can't be compared with the digest.
    expect(await readAll(storage, FILE, { range: { kind: "from", start: 0, end: 5 } })).toHaveLength(6)
  })

  it("closes its connections when the reader stops or its signal is aborted", async () => {
    const { store, storage, running } = await openWith({ kind: "rate", bytesPerSecond: MIB })
    const left = await storage.read(FILE)
    await left.bytes[Symbol.asyncIterator]().return?.()
    await expect.poll(running).toBe(0)
    const aborting = new AbortController()
    const aborted = await storage.read(FILE, { signal: aborting.signal })
    const reading = Array.fromAsync(aborted.bytes)
    await expect.poll(running).toBe(4)
    aborting.abort(new Error("the reader is gone"))
    await expect(reading).rejects.toThrow("the reader is gone")
    await expect.poll(running).toBe(0)
    await expect.poll(() => store.inFlight()).toBe(0)
  })
})
