import { expect, it } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, listPaths, openFor, readAll, writeAll } from "./ask.ts"
import type { StorageContract } from "./contract-subject.ts"
import { sampleBytes } from "./sample-bytes.ts"

const CONTENT = sampleBytes(100)

/** Tests of deleting files. */
export function describeDeletes(contract: StorageContract): void {
  it("remove a file and no other", async () => {
    const { storage } = await openFor(contract, { "a/b/c": CONTENT, "a/d": CONTENT })
    await storage.delete(parseFilePath("a/b/c"))
    expect(await codeOf(storage.stat(parseFilePath("a/b/c")))).toBe("not_found")
    expect(await listPaths(storage)).toEqual(["a/d"])
  })

  it("accept a missing file, and a folder, which stays", async () => {
    const { storage } = await openFor(contract, { "a/b": CONTENT })
    for (const path of ["missing", "a/missing", "a/b/c", "a"]) await storage.delete(parseFilePath(path))
    expect(await readAll(storage, "a/b")).toEqual(Buffer.from(CONTENT))
  })

  it("let a file take the name of an emptied folder, and a folder that of a deleted file", async () => {
    const { storage } = await openFor(contract, { "a/b/c": CONTENT })
    await storage.delete(parseFilePath("a/b/c"))
    await writeAll(storage, "a", CONTENT)
    await storage.delete(parseFilePath("a"))
    await writeAll(storage, "a/b", CONTENT)
    expect(await listPaths(storage)).toEqual(["a/b"])
  })

  it("do not disturb writes into a folder that becomes empty", async () => {
    const { storage } = await openFor(contract)
    const turns = Array.from({ length: 40 }, async (_, turn) => {
      const path = `a/b/${turn % 4}`
      await writeAll(storage, path, CONTENT)
      await storage.delete(parseFilePath(path))
    })
    await Promise.all(turns)
    expect(await listPaths(storage)).toEqual([])
  })
}

/** Tests of writing to a read-only storage. */
export function describeReadOnly(contract: StorageContract): void {
  it("refuses to write and to delete, and changes nothing", async () => {
    const { storage } = await openFor(contract, { file: CONTENT })
    expect(await codeOf(writeAll(storage, "file", sampleBytes(5)))).toBe("method_not_allowed")
    expect(await codeOf(storage.delete(parseFilePath("file")))).toBe("method_not_allowed")
    expect(await readAll(storage, "file")).toEqual(Buffer.from(CONTENT))
  })
}
