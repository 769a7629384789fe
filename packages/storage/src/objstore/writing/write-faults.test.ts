import { type ObjstoreFault, type ObjstoreRequest, startFakeObjstore, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import type { Transport } from "@assay/http"
import { createTransport } from "@assay/http/node"
import { codeOf, listPaths, readAll, writeAll } from "../../testing/ask.ts"
import { sampleBytes } from "../../testing/sample-bytes.ts"
import { openTestObjstore, type TestObjstoreOptions } from "../../testing/open-test-objstore.ts"

const MIB = 1024 * 1024
const SMALL = sampleBytes(70_000)
const LARGE = sampleBytes(9 * MIB)

/** Opens a storage whose requests of this operation have a `fault` a given number of times. */
async function openWith(operation: string, fault: ObjstoreFault, times = 1, options: TestObjstoreOptions = {}) {
  const opened = await openTestObjstore(startFakeObjstore(), options)
  opened.store.faults.add({ when: (request) => request.operation === operation, fault, times })
  return opened
}

function countOf(requests: readonly ObjstoreRequest[], operation: string): number {
  return requests.filter((request) => request.operation === operation).length
}

describe("a write in one request", () => {
  it.each<[string, ObjstoreFault, number]>([
    ["waits as long as the store requests", { kind: "refuse", status: 503, retryAfter: 7 }, 7000],
    ["waits at most a minute", { kind: "refuse", status: 429, retryAfter: 3600 }, 60_000],
    ["tries again after a failure of the store", { kind: "refuse", status: 500 }, 50],
    ["tries again when the connection is closed", { kind: "hang-up" }, 50],
    ["tries again when no response comes in time", { kind: "stall" }, 50],
    ["tries again when its bytes are interrupted", { kind: "cut-upload", after: 10_000 }, 50],
  ])("%s", async (_title, fault, wait) => {
    const options = { remote: { random: () => 0 }, ...(fault.kind === "stall" && { silenceMs: 1000 }) }
    const { store, storage, waits } = await openWith("PutObject", fault, 1, options)
    await writeAll(storage, "file", SMALL)
    expect(waits).toEqual([wait])
    expect(store.read("file").equals(SMALL)).toBe(true)
  })

  it("reports a store without space or with a limit", verifies("files.upload.disk-full"), async () => {
    const full = await openWith("PutObject", { kind: "refuse", status: 403, code: "QuotaExceeded" })
    expect(await codeOf(writeAll(full.storage, "file", SMALL))).toBe("disk_full")
    const limited = await openWith("PutObject", { kind: "refuse", status: 400, code: "EntityTooLarge" })
    expect(await codeOf(writeAll(limited.storage, "file", SMALL))).toBe("too_large")
  })

  it("is stored byte by byte by a store that does not support framed bodies", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore({ awsChunked: "store-framed" }))
    await writeAll(storage, "small", SMALL)
    await writeAll(storage, "large", LARGE)
    expect(store.read("small").equals(SMALL)).toBe(true)
    expect(store.read("large").equals(LARGE)).toBe(true)
  })

  it("is refused and removed if the store kept something else", async () => {
    const truncating: (transport: Transport) => Transport = (transport) => async (request, signal) => {
      const response = await transport(request, signal)
      if (request.method === "PUT") return { ...response, headers: { ...response.headers, etag: '"of-its-own"' } }
      const headers = { ...response.headers, etag: '"of-its-own"', "content-length": "69999" }
      return request.method === "HEAD" ? { ...response, headers } : response
    }
    const { store, storage } = await openTestObjstore(startFakeObjstore(), {
      remote: { transport: truncating(createTransport()) },
    })
    await expect(writeAll(storage, "file", SMALL)).rejects.toThrow("it kept 69999 bytes of the 70000 that were sent")
    expect(store.objects()).toEqual([])
  })
})

describe("a write in parts", () => {
  it.each<[string, ObjstoreFault]>([
    ["throttled", { kind: "refuse", status: 503, retryAfter: 1 }],
    ["cut", { kind: "cut-upload", after: MIB }],
    ["dropped", { kind: "hang-up" }],
  ])("sends a part again that is %s", async (_title, fault) => {
    const { store, storage, waits } = await openWith("UploadPart", fault)
    await writeAll(storage, "file", LARGE)
    expect(waits).toHaveLength(1)
    expect(store.read("file").equals(LARGE)).toBe(true)
  })

  it("fails if a part keeps failing, and leaves nothing behind", verifies("files.upload.whole"), async () => {
    const { store, storage } = await openWith("UploadPart", { kind: "refuse", status: 500 }, Infinity)
    expect(await codeOf(writeAll(storage, "file", LARGE))).toBe("upstream_failed")
    expect(store.openUploads()).toEqual([])
    expect(await listPaths(storage)).toEqual([])
  })

  it("completes again after an error with status 200", async () => {
    const fault = { kind: "refuse", status: 200, code: "InternalError" } as const
    const { store, storage } = await openWith("CompleteMultipartUpload", fault)
    await writeAll(storage, "file", LARGE)
    expect(countOf(store.requests, "CompleteMultipartUpload")).toBe(2)
    expect(store.read("file").equals(LARGE)).toBe(true)
  })

  it("fails if an error with status 200 persists", async () => {
    const fault = { kind: "refuse", status: 200, code: "InvalidPart" } as const
    const { store, storage } = await openWith("CompleteMultipartUpload", fault)
    await expect(writeAll(storage, "file", LARGE)).rejects.toThrow("InvalidPart")
    expect(store.openUploads()).toEqual([])
  })

  it("finds the ETag that the store left out", async () => {
    const { storage } = await openWith("CompleteMultipartUpload", { kind: "empty-etag" })
    const { etag } = await writeAll(storage, "file", LARGE)
    expect(etag).toMatch(/^"[0-9a-f]{32}-2"$/)
  })

  it.each<[string, ObjstoreFault]>([
    ["broke off", { kind: "cut", after: 50 }],
    ["ended early", { kind: "end-early", after: 50 }],
  ])("finds out that it was completed if the response %s", async (_title, fault) => {
    const { store, storage } = await openWith("CompleteMultipartUpload", fault)
    const written = await writeAll(storage, "file", LARGE)
    expect(written).toMatchObject({ size: LARGE.byteLength, etag: (await storage.stat(written.path)).etag })
    expect(countOf(store.requests, "CompleteMultipartUpload")).toBe(2)
    expect(Buffer.compare(await readAll(storage, "file"), LARGE)).toBe(0)
  })

  it("finds out that it was completed if no response arrived", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore(), {
      loses: ({ method, path }) => method === "POST" && path.includes("uploadId="),
    })
    await expect(writeAll(storage, "file", LARGE)).resolves.toMatchObject({ size: LARGE.byteLength })
    expect(store.read("file").equals(LARGE)).toBe(true)
  })

  it("does not take a file of another writer for its own if its completion fails", async () => {
    const fault = { kind: "refuse", status: 404, code: "NoSuchUpload" } as const
    const { store, storage } = await openWith("CompleteMultipartUpload", fault)
    store.write("file", LARGE)
    expect(await codeOf(writeAll(storage, "file", LARGE))).toBe("upstream_failed")
    expect(store.openUploads()).toEqual([])
  })
})
