import { describe, expect, it } from "vitest"
import { deleteAll } from "./delete-all.ts"
import type { FilePath } from "./file-path.ts"
import { openLocalStorage } from "./local/open.ts"
import { codeOf, listPaths, writeAll } from "./testing/ask.ts"
import { makeTestFolder } from "./testing/make-test-folder.ts"
import { sampleBytes } from "./testing/sample-bytes.ts"

async function openWith(count: number) {
  const storage = openLocalStorage({ type: "local", path: await makeTestFolder() }, { durable: false })
  const paths = Array.from({ length: count }, (_, index) => `${index % 2 === 0 ? "even" : "odd"}/${index}`)
  await Promise.all(paths.map((path) => writeAll(storage, path, sampleBytes(1))))
  return storage
}

describe("deleteAll", () => {
  it("deletes everything below a prefix, several at a time, and counts the files", async () => {
    const storage = await openWith(40)
    let now = 0
    let most = 0
    const watched = {
      ...storage,
      async delete(path: FilePath) {
        most = Math.max(most, ++now)
        await storage.delete(path)
        now -= 1
      },
    }
    expect(await deleteAll(watched, { prefix: "odd", parallel: 4 })).toBe(20)
    expect(most).toBe(4)
    expect(await listPaths(storage, { prefix: "odd" })).toEqual([])
    expect(await deleteAll(storage)).toBe(20)
    expect(await deleteAll(storage)).toBe(0)
  })

  it("ends with the first failure and can be called again", async () => {
    const storage = await openWith(40)
    let isOut = true
    const failing = {
      ...storage,
      async delete(path: FilePath) {
        if (path === "even/20" && isOut) throw new Error("away")
        await storage.delete(path)
      },
    }
    await expect(deleteAll(failing, { parallel: 2 })).rejects.toThrow("away")
    expect((await listPaths(storage)).length).toBeGreaterThan(20)
    isOut = false
    await deleteAll(failing)
    expect(await listPaths(storage)).toEqual([])
  })

  it("can be aborted", async () => {
    const storage = await openWith(4)
    const signal = AbortSignal.abort(new Error("enough"))
    await expect(deleteAll(storage, { signal })).rejects.toThrow("enough")
    expect(await listPaths(storage)).toHaveLength(4)
  })

  it("is refused by a storage that can't delete", async () => {
    const { AssayError } = await import("@assay/schemas")
    const storage = await openWith(2)
    const readOnly = {
      ...storage,
      delete: () => Promise.reject(new AssayError("method_not_allowed", "It is read-only.")),
    }
    expect(await codeOf(deleteAll(readOnly))).toBe("method_not_allowed")
  })
})
