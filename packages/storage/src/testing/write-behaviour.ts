import { createHash } from "node:crypto"
import { expect, it } from "vitest"
import { isAssayError } from "@assay/schemas"
import { verifies } from "./verifies.ts"
import { parseFilePath } from "../file-path.ts"
import { asListed, asWritten, codeOf, listPaths, openFor, readAll, writeAll } from "./ask.ts"
import type { StorageContract } from "./contract-subject.ts"
import { inPieces, sampleBytes } from "./sample-bytes.ts"
import { expectBytes } from "./expect-bytes.ts"

const OLD = sampleBytes(5000, 1)
const NEW = sampleBytes(7000, 2)

function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex")
}

async function* failing(): AsyncGenerator<Uint8Array> {
  yield NEW.slice(0, 3000)
  throw new Error("the sender is gone")
}

async function* silent(): AsyncGenerator<Uint8Array> {
  yield NEW.slice(0, 3000)
  await new Promise(() => {})
}

/** Tests of creating, replacing and removing files. */
export function describeWrites(contract: StorageContract): void {
  it(
    "create a file and return its size, ETag and digest",
    verifies("files.upload.etag", "files.upload.sha256"),
    async () => {
      const { storage } = await openFor(contract)
      const written = await writeAll(storage, "folder/file", NEW)
      expect(written).toMatchObject({ path: "folder/file", size: NEW.byteLength, sha256: sha256(NEW) })
      expectBytes(await readAll(storage, "folder/file"), NEW)
      expect(await storage.stat(parseFilePath("folder/file"))).toEqual(asWritten(written))
      expect(await Array.fromAsync(storage.list())).toEqual([asWritten(asListed(contract, written))])
    },
  )

  it("create an empty file", verifies("files.upload.empty-file"), async () => {
    const { storage } = await openFor(contract)
    expect(await writeAll(storage, "empty", new Uint8Array())).toMatchObject({
      size: 0,
      sha256: sha256(new Uint8Array()),
    })
    expect(await readAll(storage, "empty")).toHaveLength(0)
  })

  it.each([1, 7, 999, 65_536])("accept pieces of %i bytes without a known total length", async (size) => {
    const { storage } = await openFor(contract)
    const content = sampleBytes(size === 1 ? 3000 : 300_000)
    const written = await storage.write(parseFilePath("file"), inPieces(content, size))
    expect(written.sha256).toBe(sha256(content))
    expect(sha256(await readAll(storage, "file"))).toBe(sha256(content))
  })

  it("replace a file and change its ETag", verifies("files.upload.etag"), async () => {
    const { storage } = await openFor(contract, { file: OLD })
    const before = await storage.stat(parseFilePath("file"))
    const after = await writeAll(storage, "file", NEW)
    expectBytes(await readAll(storage, "file"), NEW)
    expect(after.etag).not.toBe(before.etag)
    expect(await listPaths(storage)).toEqual(["file"])
  })

  it("copy a file onto itself", async () => {
    const { storage } = await openFor(contract, { file: OLD })
    const { bytes } = await storage.read(parseFilePath("file"))
    await storage.write(parseFilePath("file"), bytes)
    expectBytes(await readAll(storage, "file"), OLD)
  })

  it("change nothing if the digest does not match", verifies("files.upload.checksum-mismatch"), async () => {
    const { storage } = await openFor(contract, { file: OLD })
    expect(await codeOf(writeAll(storage, "file", NEW, { sha256: sha256(OLD) }))).toBe("checksum_mismatch")
    expect(await codeOf(writeAll(storage, "other/file", NEW, { sha256: sha256(OLD) }))).toBe("checksum_mismatch")
    expectBytes(await readAll(storage, "file"), OLD)
    expect(await listPaths(storage)).toEqual(["file"])
    expect(await writeAll(storage, "file", NEW, { sha256: sha256(NEW) })).toMatchObject({ sha256: sha256(NEW) })
  })

  it("change nothing if the source fails, and throw its error", verifies("files.upload.whole"), async () => {
    const { storage } = await openFor(contract, { file: OLD })
    for (const path of ["file", "new/file"].map(parseFilePath)) {
      await expect(storage.write(path, failing())).rejects.toThrow("the sender is gone")
    }
    expectBytes(await readAll(storage, "file"), OLD)
    expect(await listPaths(storage)).toEqual(["file"])
    // No folder is left that would block a file of the same name.
    await writeAll(storage, "new", NEW)
  })

  it(
    "change nothing when they are aborted, even while the source is silent",
    verifies("files.upload.whole"),
    async () => {
      const { storage } = await openFor(contract, { file: OLD })
      const aborting = new AbortController()
      const writing = storage.write(parseFilePath("file"), silent(), { signal: aborting.signal })
      aborting.abort(new Error("enough"))
      await expect(writing).rejects.toThrow("enough")
      expectBytes(await readAll(storage, "file"), OLD)
      expect(await listPaths(storage)).toEqual(["file"])
    },
  )

  it("keep one complete file of many concurrent writers", verifies("files.upload.whole"), async () => {
    const { storage } = await openFor(contract)
    const contents = Array.from({ length: 12 }, (_, seed) => sampleBytes(20_000, seed + 1))
    const written = await Promise.all(contents.map((content) => writeAll(storage, "file", content)))
    const kept = sha256(await readAll(storage, "file"))
    expect(contents.map(sha256)).toContain(kept)
    expect(await storage.stat(parseFilePath("file"))).toMatchObject({ sha256: kept })
    expect(new Set(written.map(({ etag }) => etag)).size).toBe(contents.length)
    expect(await listPaths(storage)).toEqual(["file"])
  })

  it(
    "show readers one complete version with its own digest while the file is replaced",
    verifies("files.upload.whole"),
    async () => {
      const { storage } = await openFor(contract, {})
      const contents = [sampleBytes(20_000, 1), sampleBytes(20_000, 2)]
      const turns = contract.isSlow === true ? 10 : 60
      await writeAll(storage, "file", contents[0] ?? OLD)
      const readers = Array.from({ length: 4 }, async () => {
        for (let look = 0; look < turns; look++) {
          const read = await storage.read(parseFilePath("file")).catch((error: unknown) => {
            if (contract.mayMissReplaced === true && isAssayError(error, "not_found")) return undefined
            throw error
          })
          if (read === undefined) continue
          const { file, bytes } = read
          expect(sha256(Buffer.concat(await Array.fromAsync(bytes)))).toBe(file.sha256)
        }
      })
      for (let turn = 1; turn <= turns; turn++) await writeAll(storage, "file", contents[turn % 2] ?? OLD)
      await Promise.all(readers)
    },
  )
}

/** Tests of conditional writes. */
export function describeConditions(contract: StorageContract): void {
  it("replace only the version that if-match names", verifies("files.upload.if-match"), async () => {
    const { storage } = await openFor(contract, { file: OLD })
    const { etag } = await storage.stat(parseFilePath("file"))
    expect(await codeOf(writeAll(storage, "file", NEW, { ifMatch: '"another"' }))).toBe("precondition_failed")
    expectBytes(await readAll(storage, "file"), OLD)
    await writeAll(storage, "file", NEW, { ifMatch: etag ?? "" })
    expect(await codeOf(writeAll(storage, "file", OLD, { ifMatch: etag ?? "" }))).toBe("precondition_failed")
    expectBytes(await readAll(storage, "file"), NEW)
  })

  it("accept any existing file for * in if-match", verifies("files.upload.if-match"), async () => {
    const { storage } = await openFor(contract, { file: OLD })
    await writeAll(storage, "file", NEW, { ifMatch: "*" })
    expect(await codeOf(writeAll(storage, "missing", NEW, { ifMatch: "*" }))).toBe("precondition_failed")
    expect(await listPaths(storage)).toEqual(["file"])
  })

  it("only create a file with if-none-match", verifies("files.upload.create-only"), async () => {
    const { storage } = await openFor(contract, { file: OLD })
    expect(await codeOf(writeAll(storage, "file", NEW, { ifNoneMatch: "*" }))).toBe("precondition_failed")
    expectBytes(await readAll(storage, "file"), OLD)
    await writeAll(storage, "new", NEW, { ifNoneMatch: "*" })
    expectBytes(await readAll(storage, "new"), NEW)
  })

  it("let exactly one of many creators succeed", verifies("files.upload.create-only"), async () => {
    const { storage } = await openFor(contract)
    const creating = Array.from({ length: 8 }, (_, seed) =>
      writeAll(storage, "folder/file", sampleBytes(3000, seed + 1), { ifNoneMatch: "*" }),
    )
    const results = await Promise.allSettled(creating)
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1)
  })
}

/** Tests of an adapter that can write, but not with conditions. */
export function describeMissingConditions(contract: StorageContract): void {
  it("refuse unsupported conditions and write nothing", async () => {
    const { storage } = await openFor(contract, { file: OLD })
    expect(await codeOf(writeAll(storage, "file", NEW, { ifMatch: "*" }))).toBe("unsupported")
    expect(await codeOf(writeAll(storage, "new", NEW, { ifNoneMatch: "*" }))).toBe("unsupported")
    expectBytes(await readAll(storage, "file"), OLD)
    expect(await listPaths(storage)).toEqual(["file"])
  })
}
