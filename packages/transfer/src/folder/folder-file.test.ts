import { hash } from "node:crypto"
import { mkdtempDisposableSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { openTransferCache } from "../sides/transfer-cache.ts"
import { createFolderFile } from "./folder-file.ts"

describe("a file of a folder that is read after it changed", () => {
  it.each([
    ["grew", "a longer content"],
    ["shrank", "short"],
    ["got other bytes of the same size", "CONTENT..."],
    ["was deleted", undefined],
  ])("fails and never mixes two versions, if it %s", async (_how, content) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "assay-transfer-"))
    const systemPath = join(folder.path, "file")
    writeFileSync(systemPath, "content...")
    const cache = openTransferCache(join(folder.path, "cache"), Date.now)
    const file = createFolderFile({ path: "file", systemPath, stats: statSync(systemPath, { bigint: true }) }, cache)
    if (content === undefined) rmSync(systemPath)
    else writeFileSync(systemPath, content)
    const { signal } = new AbortController()
    const code = content === undefined ? "not_found" : "storage_changed"
    await expect(file.piece(0, file.size, signal)).rejects.toMatchObject({ code })
    await expect(Array.fromAsync(file.stream(0, signal))).rejects.toMatchObject({ code })
    await expect(file.sha256(signal)).rejects.toMatchObject({ code })
    cache.close()
  })
})

describe("the digest of a large file", () => {
  it("is that of all bytes, whichever part a stream has read before", async () => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "assay-transfer-"))
    const systemPath = join(folder.path, "file")
    const content = Buffer.alloc(3_500_000, "content of a file, ")
    writeFileSync(systemPath, content)
    const cache = openTransferCache(join(folder.path, "cache"), Date.now)
    const { signal } = new AbortController()
    for (const [start, chunks] of [
      [0, 0],
      [0, 2],
      [0, 9],
      [1_000_000, 9],
    ] as const) {
      const stats = statSync(systemPath, { bigint: true })
      const file = createFolderFile({ path: "file", systemPath, stats }, cache)
      let count = 0
      for await (const _chunk of file.stream(start, signal)) if ((count += 1) >= chunks) break
      // A request that breaks off is sent again from an earlier byte.
      for await (const _chunk of file.stream(500_000, signal)) break
      const both = await Promise.all([file.sha256(signal), file.sha256(signal)])
      expect(both).toEqual([hash("sha256", content, "hex"), hash("sha256", content, "hex")])
    }
    cache.close()
  })
})
