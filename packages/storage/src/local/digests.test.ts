import { open, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { createMemoryDigestIndex, type DigestIndex } from "../digest-index.ts"
import { parseFilePath } from "../file-path.ts"
import { createPathLocks } from "../path-locks.ts"
import type { Storage } from "../storage.ts"
import { codeOf, writeAll } from "../testing/ask.ts"
import { expectBytes } from "../testing/expect-bytes.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { sampleBytes } from "../testing/sample-bytes.ts"
import { fileVersion, advanceTime } from "./file-version.ts"
import { openLocalStorage } from "./open.ts"

const FILE = parseFilePath("folder/file")

async function openOver(digests: DigestIndex): Promise<{ root: string; storage: Storage }> {
  const root = await makeTestFolder()
  return { root, storage: openLocalStorage({ type: "local", path: root }, { digests, durable: false }) }
}

describe("the digest of a local file", () => {
  it("is known to every storage on the same folder and index", verifies("files.upload.etag"), async () => {
    const digests = createMemoryDigestIndex()
    const { root, storage } = await openOver(digests)
    const written = await writeAll(storage, FILE, sampleBytes(10))
    const again = openLocalStorage({ type: "local", path: root }, { digests })
    expect(await again.stat(FILE)).toEqual(written)
    const stranger = openLocalStorage({ type: "local", path: root })
    expect(await stranger.stat(FILE)).toMatchObject({ sha256: null, size: 10 })
  })

  it("is stored before the file appears", async () => {
    const order: string[] = []
    const memory = createMemoryDigestIndex()
    const { root, storage } = await openOver({
      ...memory,
      async put(file, sha256) {
        await stat(join(root, FILE)).catch(() => order.push("not there yet"))
        order.push(`put ${file.path}`)
        await memory.put(file, sha256)
      },
    })
    await writeAll(storage, FILE, sampleBytes(10))
    expect(order).toEqual(["not there yet", "put folder/file"])
  })

  it("is removed when the file is replaced or deleted", async () => {
    const digests = createMemoryDigestIndex()
    const { root, storage } = await openOver(digests)
    const version = async () => fileVersion(FILE, await stat(join(root, FILE), { bigint: true }))
    await writeAll(storage, FILE, sampleBytes(10, 1))
    const first = await version()
    const { sha256 } = await writeAll(storage, FILE, sampleBytes(10, 2))
    const second = await version()
    expect(await digests.getMany([first, second])).toEqual([undefined, sha256])
    await storage.delete(FILE)
    expect(await digests.get(second)).toBeUndefined()
  })

  it(
    "is null for a file that another program changed, whose ETag changes too",
    verifies("files.upload.etag"),
    async () => {
      const { root, storage } = await openOver(createMemoryDigestIndex())
      const written = await writeAll(storage, FILE, sampleBytes(10, 1))
      await writeFile(join(root, FILE), sampleBytes(10, 2))
      await utimes(join(root, FILE), 1, 1)
      const changed = await storage.stat(FILE)
      expect(changed.sha256).toBeNull()
      expect(changed.etag).not.toBe(written.etag)
      expect(await storage.stat(FILE)).toEqual(changed)
      expect(await codeOf(writeAll(storage, FILE, sampleBytes(3), { ifMatch: written.etag ?? "" }))).toBe(
        "precondition_failed",
      )
      expect(await writeAll(storage, FILE, sampleBytes(3), { ifMatch: changed.etag ?? "" })).toMatchObject({ size: 3 })
    },
  )

  it(
    "always matches the bytes, even if many versions of one size follow each other",
    verifies("files.upload.etag"),
    async () => {
      const { storage } = await openOver(createMemoryDigestIndex())
      for (let turn = 0; turn < 100; turn++) {
        const content = sampleBytes(10, turn + 1)
        const written = await writeAll(storage, FILE, content)
        const { file, bytes } = await storage.read(FILE)
        expectBytes(Buffer.concat(await Array.fromAsync(bytes)), content)
        expect(file).toEqual(written)
      }
    },
  )

  it("is kept for a write that ends after another storage with the same locks has written", async () => {
    const digests = createMemoryDigestIndex()
    const locks = createPathLocks()
    const root = await makeTestFolder()
    const storages = Array.from({ length: 6 }, (_, id) =>
      openLocalStorage({ type: "local", path: root }, { digests, locks, newId: () => `storage-${id}`, durable: false }),
    )
    await Promise.all(storages.map((storage, seed) => writeAll(storage, FILE, sampleBytes(10, seed + 1))))
    for (const storage of storages) expect(await storage.stat(FILE)).toMatchObject({ sha256: expect.any(String) })
  })
})

describe("advanceTime", () => {
  const old = 1_700_000_000.123456

  async function stampAfter(time: number): Promise<{ before: bigint; replaced: bigint; after: bigint }> {
    const root = await makeTestFolder()
    await writeFile(join(root, "old"), "x")
    await utimes(join(root, "old"), old, old)
    const replaced = await stat(join(root, "old"), { bigint: true })
    const handle = await open(join(root, "new"), "w")
    onTestFinished(() => handle.close())
    await handle.utimes(time, time)
    const before = await handle.stat({ bigint: true })
    expect(await advanceTime(handle, undefined, false)).toEqual(before)
    const stamped = await advanceTime(handle, replaced, true)
    expect(await handle.stat({ bigint: true })).toEqual(stamped)
    return { before: before.mtimeNs, replaced: replaced.mtimeNs, after: stamped.mtimeNs }
  }

  it.each([old, old - 0.001])(
    "gives a file that is not later a time just after the file that it replaces",
    async (time) => {
      const { before, replaced, after } = await stampAfter(time)
      expect(before).toBeLessThanOrEqual(replaced)
      expect(after).toBeGreaterThan(replaced)
      expect(after - replaced).toBeLessThan(10_000n)
    },
  )

  it("keeps a later time, and ignores a time far in the future", async () => {
    for (const time of [old + 0.001, old - 3600]) {
      const { before, after } = await stampAfter(time)
      expect(after).toBe(before)
    }
  })
})
