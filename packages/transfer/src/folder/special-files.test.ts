import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempDisposableSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { openTransferCache } from "../sides/transfer-cache.ts"
import { createFolderFile } from "./folder-file.ts"
import { partialName, writeLocalFile } from "./write-local-file.ts"

describe("a pipe that replaces a file after the folder was listed", () => {
  it.each([
    ["small", 100],
    ["large", 5_000_000],
  ])("is refused without waiting if a %s file is read", verifies("files.open.regular-only"), async (_, size) => {
    using folder = mkdtempDisposableSync(join(tmpdir(), "assay-transfer-"))
    writeFileSync(join(folder.path, "file"), Buffer.alloc(size))
    const systemPath = join(folder.path, "file")
    const cache = openTransferCache(join(folder.path, "cache"), Date.now)
    const file = createFolderFile({ path: "file", systemPath, stats: statSync(systemPath, { bigint: true }) }, cache)
    rmSync(systemPath)
    expect(spawnSync("mkfifo", [systemPath]).status).toBe(0)
    const refused = { code: "local_file_failed", message: expect.stringContaining("is not a regular file") }
    const { signal } = new AbortController()
    await expect(file.piece(0, size, signal)).rejects.toMatchObject(refused)
    await expect(file.sha256(signal)).rejects.toMatchObject(refused)
    await expect(Array.fromAsync(file.stream(0, signal))).rejects.toMatchObject(refused)
    cache.close()
  })

  it.each([
    ["small", 100],
    ["large", 5_000_000],
  ])(
    "is refused without waiting if it replaces the partial file of a %s file",
    verifies("files.open.regular-only"),
    async (_, size) => {
      using folder = mkdtempDisposableSync(join(tmpdir(), "assay-transfer-"))
      writeFileSync(join(folder.path, "file"), Buffer.alloc(size))
      const source = join(folder.path, "file")
      const cache = openTransferCache(join(folder.path, "cache"), Date.now)
      const file = createFolderFile(
        { path: "file", systemPath: source, stats: statSync(source, { bigint: true }) },
        cache,
      )
      const target = join(folder.path, "target")
      mkdirSync(target)
      expect(spawnSync("mkfifo", [join(target, partialName(file.path, file.version))]).status).toBe(0)
      await expect(writeLocalFile(file, target, () => {}, new AbortController().signal)).rejects.toMatchObject({
        code: "local_file_failed",
        message: expect.stringContaining("is not a regular file"),
      })
      expect(existsSync(join(target, "file"))).toBe(false)
      cache.close()
    },
  )
})
