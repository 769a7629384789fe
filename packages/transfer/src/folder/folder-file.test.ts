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
