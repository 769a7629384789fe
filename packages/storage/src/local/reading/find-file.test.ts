import { spawnSync } from "node:child_process"
import { mkdir, readdir, rename, rm, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseFilePath, type FilePath } from "../../file-path.ts"
import { codeOf } from "../../testing/ask.ts"
import { makeTestFolder } from "../../testing/make-test-folder.ts"
import { findFile, findWithoutLinks, openFound } from "./find-file.ts"
import { metadataCalls } from "../folders/metadata-calls.ts"
import { openFolder } from "../folders/folder.ts"

const FILE = parseFilePath("folder/file")

/** Creates a root with `folder/file`, and beside it `outside/file`. */
async function makeFolders(): Promise<{ root: string; swap: () => Promise<void> }> {
  const parent = await makeTestFolder()
  const root = join(parent, "root")
  const outside = join(parent, "outside")
  for (const folder of [join(root, "folder"), outside]) {
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, "file"), "")
  }
  async function swap(): Promise<void> {
    await rename(join(root, "folder"), join(root, "moved"))
    await symlink(outside, join(root, "folder"))
  }
  return { root, swap }
}

describe("openFound", () => {
  it("opens a file that was found", async () => {
    const { root } = await makeFolders()
    const found = await findFile(root, FILE)
    const file = await openFound(root, found, FILE)
    expect(metadataCalls.atHandle(file).ino).toBe(found.stats.ino)
    file.close()
  })

  it("refuses it if a link has replaced its folder", verifies("files.path.symbolic-links"), async () => {
    const { root, swap } = await makeFolders()
    const found = await findFile(root, FILE)
    await swap()
    expect(await codeOf(openFound(root, found, FILE))).toBe("storage_changed")
  })

  it("refuses it if a link has replaced it, or if it is gone", verifies("files.path.symbolic-links"), async () => {
    const { root } = await makeFolders()
    const found = await findFile(root, FILE)
    await rename(join(root, "folder/file"), join(root, "folder/moved"))
    expect(await codeOf(openFound(root, found, FILE))).toBe("storage_changed")
    await symlink("../../outside/file", join(root, "folder/file"))
    expect(await codeOf(openFound(root, found, FILE))).toBe("storage_changed")
  })
})

describe("findWithoutLinks", () => {
  it(
    "finds a file behind a link to a folder, which is refused when it is opened",
    verifies("files.path.symbolic-links"),
    async () => {
      const { root, swap } = await makeFolders()
      await swap()
      await symlink("moved", join(root, "inside"))
      const open = (path: FilePath) => {
        const found = findWithoutLinks(root, path)
        if (found === undefined) throw new Error(`${path} was not found.`)
        return openFound(root, found, path)
      }
      ;(await open(parseFilePath("moved/file"))).close()
      expect(await codeOf(open(FILE))).toBe("storage_changed")
      expect(await codeOf(open(parseFilePath("inside/file")))).toBe("storage_changed")
    },
  )

  it("finds nothing but files", async () => {
    const { root } = await makeFolders()
    await symlink("file", join(root, "folder/link"))
    for (const path of ["folder", "folder/link", "folder/none", "folder/file/below"]) {
      expect(findWithoutLinks(root, parseFilePath(path)), path).toBeUndefined()
    }
  })
})

describe("a pipe that replaced a file after it was found", () => {
  it("is refused without waiting", verifies("files.open.regular-only"), async () => {
    const { root } = await makeFolders()
    const found = await findFile(root, FILE)
    await rm(join(root, "folder/file"))
    expect(spawnSync("mkfifo", [join(root, "folder/file")]).status).toBe(0)
    expect(await codeOf(openFound(root, found, FILE))).toBe("storage_changed")
  })
})

describe("openFolder", () => {
  it("keeps leading to the same folder if a link replaces it", verifies("files.path.symbolic-links"), async () => {
    const { root, swap } = await makeFolders()
    const folder = await openFolder(root, "folder")
    await swap()
    await writeFile(folder.at("new"), "")
    await folder.close()
    expect(await readdir(join(root, "moved"))).toEqual(["file", "new"])
    expect(await readdir(join(root, "../outside"))).toEqual(["file"])
  })
})
