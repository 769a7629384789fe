import { mkdir, mkdtemp, realpath, rename, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openLocalStorage, parseFilePath, type Storage } from "@assay/storage"
import * as fc from "fast-check"
import { afterAll, beforeAll, expect, it } from "vitest"
import { bytesOf } from "@assay/testkit"
import { revisionFileOf } from "../revisions.ts"
import type { RevisionFile } from "../revision-file.ts"
import { changedFiles } from "./changed-files.ts"

let home: string
beforeAll(async () => {
  home = await realpath(await mkdtemp(join(tmpdir(), "assay-changed-files-")))
})
afterAll(() => rm(home, { recursive: true, force: true }))
const makeTestFolder = () => mkdtemp(join(home, "root-"))

async function listOf(storage: Storage): Promise<readonly RevisionFile[]> {
  const files: RevisionFile[] = []
  for await (const file of storage.list()) files.push(revisionFileOf(file))
  return files
}

const path = fc.constantFrom("a", "a-b", "a/x", "a/y", "a0", "b/c/d", "b/c/e", "b/f", "z").map(parseFilePath)
const change = fc.record({ path, text: fc.option(fc.constantFrom("", "1", "22")) })

it("A list after changes is the one that the storage returns, or all files must be listed", async () => {
  let updates = 0
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 6 }), fc.array(change, { maxLength: 4 }), async (first, second) => {
      const storage = openLocalStorage({ type: "local", path: await makeTestFolder() }, { durable: false })
      const apply = async (changes: typeof first) => {
        for (const one of changes) {
          if (one.text === null) await storage.delete(one.path)
          else await storage.write(one.path, bytesOf(one.text)).catch(() => {})
        }
      }
      await apply(first)
      const before = await listOf(storage)
      await apply(second)
      const changed = await changedFiles(storage, before, [...new Set(second.map((one) => one.path))])
      if (changed === undefined) return
      updates += 1
      expect(changed).toEqual(await listOf(storage))
    }),
    { numRuns: 60 },
  )
  expect(updates).toBeGreaterThan(10)
})

it("A file whose name on the disk is another one, or whose folder has no listed file, makes all files be listed", async () => {
  const root = await makeTestFolder()
  await mkdir(join(root, "folder"))
  await writeFile(join(root, "folder/a"), "")
  const storage = openLocalStorage({ type: "local", path: root })
  const before = await listOf(storage)
  await mkdir(join(root, "new"))
  await writeFile(join(root, "new/file"), "")
  expect(await changedFiles(storage, before, [parseFilePath("new/file")])).toBeUndefined()
  await rm(join(root, "new"), { recursive: true })
  // As if the file system ignored case: the path leads to a file, and the folder lists it by another name.
  await rename(join(root, "folder/a"), join(root, "folder/b"))
  const ignoring: Storage = { ...storage, stat: () => storage.stat(parseFilePath("folder/b")) }
  expect(await changedFiles(ignoring, before, [parseFilePath("folder/B")])).toBeUndefined()
  expect(await changedFiles(storage, before, [parseFilePath("folder/A")])).toBeUndefined()
  await symlink("b", join(root, "folder/c"))
  const listed = await changedFiles(storage, before, ["folder/a", "folder/b", "folder/c"].map(parseFilePath))
  expect(listed).toEqual(await listOf(storage))
})
