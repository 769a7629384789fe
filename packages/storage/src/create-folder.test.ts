import { existsSync } from "node:fs"
import { mkdtemp, rm, stat } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, it, onTestFinished } from "vitest"
import { createFolder, createFolderAtOnce } from "./create-folder.ts"

it("createFolder creates missing parents, and accepts a folder that exists", async () => {
  const folder = await mkdtemp(join(tmpdir(), "create-folder-"))
  onTestFinished(() => rm(folder, { recursive: true }))
  await Promise.all([createFolder(join(folder, "a/b/c")), createFolder(join(folder, "a/b/d"))])
  await createFolder(join(folder, "a/b/c"))
  createFolderAtOnce(join(folder, "a/b/e"))
  expect((await stat(join(folder, "a/b/c"))).isDirectory()).toBe(true)
  expect((await stat(join(folder, "a/b/d"))).isDirectory()).toBe(true)
})

it.skipIf(!existsSync("/proc/self"))(
  "createFolder and createFolderAtOnce fail on a file system that has no new folders",
  async () => {
    await expect(createFolder("/proc/none/below")).rejects.toMatchObject({ code: "ENOENT" })
    expect(() => {
      createFolderAtOnce("/proc/none/below")
    }).toThrow("ENOENT")
  },
)
