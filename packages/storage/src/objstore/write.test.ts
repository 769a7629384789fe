import { createHash } from "node:crypto"
import { type FakeObjstore, startFakeObjstore, verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, listPaths, writeAll } from "../testing/ask.ts"
import { inPieces, sampleBytes } from "../testing/sample-bytes.ts"
import { openTestObjstore } from "../testing/open-test-objstore.ts"

const MIB = 1024 * 1024
const FILE = parseFilePath("folder/file")
const LARGE = sampleBytes(20 * MIB + 5)
const DIGEST = sha256(LARGE)

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

function operationsOf({ requests }: FakeObjstore): readonly string[] {
  return requests.map(({ operation }) => operation)
}

const large = () => inPieces(LARGE, 300_000)

describe("a file of several parts", () => {
  it("is sent in parts and stored completely", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    const written = await storage.write(FILE, large())
    expect(written).toMatchObject({ path: FILE, size: LARGE.byteLength, sha256: DIGEST })
    expect(store.read(FILE).equals(LARGE)).toBe(true)
    expect(operationsOf(store)).toEqual([
      "CreateMultipartUpload",
      "UploadPart",
      "UploadPart",
      "UploadPart",
      "CompleteMultipartUpload",
      "HeadObject",
    ])
    const parts = store.requests.filter(({ operation }) => operation === "UploadPart")
    const sizes = parts.map(({ received }) => received).toSorted((a, b) => a - b)
    expect(sizes).toEqual([4 * MIB + 5, 8 * MIB, 8 * MIB])
    // The digest was unknown when the upload began, and nothing can be added to an object later.
    expect(await storage.stat(FILE)).toEqual({ ...written, sha256: null })
  })

  it("is sent four parts at a time", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore({ discardUploads: true }))
    const isPart = ({ operation }: { operation: string }) => operation === "UploadPart"
    store.faults.add({ when: isPart, fault: { kind: "latency", ms: 300 } })
    await storage.write(FILE, inPieces(Buffer.alloc(56 * MIB), 8 * MIB))
    expect(Math.max(...store.requests.filter(isPart).map(({ beside }) => beside))).toBe(3)
  })

  it("keeps the announced digest", async () => {
    const { storage } = await openTestObjstore(startFakeObjstore())
    const written = await storage.write(FILE, large(), { sha256: DIGEST })
    expect(await storage.stat(FILE)).toEqual(written)
  })

  it("begins above the size of one request", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    await writeAll(storage, "one", LARGE.subarray(0, 8 * MIB))
    expect(operationsOf(store)).toEqual(["PutObject"])
    await writeAll(storage, "two", LARGE.subarray(0, 8 * MIB + 1))
    expect(operationsOf(store)).toContain("CompleteMultipartUpload")
    expect(store.read("two").equals(LARGE.subarray(0, 8 * MIB + 1))).toBe(true)
  })

  it(
    "is not completed if its digest differs from the announced one",
    verifies("files.upload.checksum-mismatch"),
    async () => {
      const { store, storage } = await openTestObjstore(startFakeObjstore())
      store.write(FILE, "old")
      expect(await codeOf(storage.write(FILE, large(), { sha256: sha256(sampleBytes(1)) }))).toBe("checksum_mismatch")
      expect(operationsOf(store)).not.toContain("CompleteMultipartUpload")
      expect(store.read(FILE).toString()).toBe("old")
      expect(store.openUploads()).toEqual([])
    },
  )

  it("leaves no part behind if its source fails", verifies("files.upload.whole"), async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    async function* failing() {
      yield LARGE
      throw new Error("the sender is gone")
    }
    await expect(storage.write(FILE, failing())).rejects.toThrow("the sender is gone")
    expect(store.openUploads()).toEqual([])
    expect(await listPaths(storage)).toEqual([])
  })

  it(
    "leaves no part behind when it is aborted, and closes its connections at once",
    verifies("files.upload.whole"),
    async () => {
      const { store, storage, running } = await openTestObjstore(startFakeObjstore())
      const isPart = ({ operation }: { operation: string }) => operation === "UploadPart"
      store.faults.add({ when: isPart, fault: { kind: "stall" } })
      const aborting = new AbortController()
      const writing = storage.write(FILE, large(), { signal: aborting.signal })
      await expect.poll(() => store.requests.filter(isPart)).toHaveLength(3)
      expect(running()).toBe(3)
      aborting.abort(new Error("enough"))
      await expect(writing).rejects.toThrow("enough")
      expect(store.openUploads()).toEqual([])
      await expect.poll(running).toBe(0)
    },
  )

  it("fails at once if a part is refused, even while its source is silent", async () => {
    const { store, storage } = await openTestObjstore(startFakeObjstore())
    const refusal = { kind: "refuse", status: 403, code: "AccessDenied" } as const
    store.faults.add({ when: ({ operation }) => operation === "UploadPart", fault: refusal })
    async function* silent() {
      yield LARGE
      await new Promise(() => {})
    }
    expect(await codeOf(storage.write(FILE, silent()))).toBe("upstream_refused")
    expect(store.openUploads()).toEqual([])
  })
})
