import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { removeFolder } from "./remove-folder.ts"

describe("removeFolder", () => {
  let root: string
  let folder: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "folder-"))
    folder = join(root, "folder")
  })
  afterEach(() => rm(root, { recursive: true }))

  async function write(count: number, below = folder): Promise<void> {
    await mkdir(below, { recursive: true })
    for (let index = 0; index < count; index++) await writeFile(join(below, `${index}`), "")
  }

  it("deletes files and folders, and what a link points to stays", verifies("filesets.delete.in-groups"), async () => {
    await write(1000)
    await write(300, join(folder, "a/b/c"))
    await mkdir(join(folder, "empty/empty"), { recursive: true })
    await write(2, join(root, "other"))
    await symlink(join(root, "other"), join(folder, "link"))
    await removeFolder(folder)
    expect(await readdir(root)).toEqual(["other"])
    expect(await readdir(join(root, "other"))).toHaveLength(2)
  })

  it("ignores a missing folder", async () => {
    await removeFolder(folder)
    expect(await readdir(root)).toEqual([])
  })

  it("deletes files that are written meanwhile", async () => {
    await write(500)
    const late = Promise.all([1, 2, 3].map((number) => writeFile(join(folder, `late-${number}`), "")))
    await removeFolder(folder)
    await late.catch(() => {})
    await removeFolder(folder)
    expect(await readdir(root)).toEqual([])
  })

  it("stops at the signal, and the next call deletes the rest", async () => {
    await write(1000)
    const reason = new Error("The server ends.")
    await expect(removeFolder(folder, AbortSignal.abort(reason))).rejects.toBe(reason)
    expect(await readdir(folder)).toHaveLength(1000)
    await removeFolder(folder)
    expect(await readdir(root)).toEqual([])
  })
})
