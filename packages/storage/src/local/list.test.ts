import { mkdir, rename, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { createMemoryDigestIndex, type DigestIndex } from "../digest-index.ts"
import { compareCodePoints } from "../file-path.ts"
import type { StoredFile } from "../storage.ts"
import { listPaths, writeAll } from "../testing/ask.ts"
import { makeTestFolder } from "../testing/make-test-folder.ts"
import { createListedFiles } from "./listing/listed-files.ts"
import { openLocalStorage } from "./open.ts"

const name = fc.string({ unit: fc.constantFrom("a", "b", "-", "0", "\uffee", "\u{1f600}"), minLength: 1, maxLength: 2 })
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join("/"))
/** If a path is a file, no other path continues below it. */
const tree = fc
  .uniqueArray(path, { maxLength: 25 })
  .map((paths) => paths.filter((one) => !paths.some((other) => other.startsWith(`${one}/`))))

async function makeTree(paths: readonly string[]): Promise<string> {
  const root = await makeTestFolder()
  for (const one of paths) {
    await mkdir(dirname(join(root, one)), { recursive: true })
    await writeFile(join(root, one), "")
  }
  return root
}

describe("a listing of local storage", () => {
  it(
    "contains all paths in order, filtered by prefix and start",
    verifies("files.list.order", "files.list.path"),
    async () => {
      await fc.assert(
        fc.asyncProperty(tree, path, path, async (paths, prefix, after) => {
          const storage = openLocalStorage({ type: "local", path: await makeTree(paths) })
          const all = paths.toSorted(compareCodePoints)
          expect(await listPaths(storage)).toEqual(all)
          const later = all.filter((one) => compareCodePoints(one, after) > 0)
          expect(await listPaths(storage, { after })).toEqual(later)
          const below = later.filter((one) => one === prefix || one.startsWith(`${prefix}/`))
          expect(await listPaths(storage, { after, prefix })).toEqual(below)
        }),
        { numRuns: 60 },
      )
    },
  )

  it("looks up many digests at a time", async () => {
    const asked: number[] = []
    const memory = createMemoryDigestIndex()
    const digests: DigestIndex = {
      ...memory,
      async getMany(files) {
        asked.push(files.length)
        return memory.getMany(files)
      },
    }
    const root = await makeTree(Array.from({ length: 600 }, (_, at) => `${at % 200}/${at}`))
    expect(await listPaths(openLocalStorage({ type: "local", path: root }, { digests }))).toHaveLength(600)
    expect(asked.length).toBeLessThanOrEqual(3)
  })

  it("of many folders waits for few turns of the event loop, and lets other work run between its folders", async () => {
    const root = await makeTree(["0/0"])
    for (let at = 1; at < 200; at++) await mkdir(join(root, `${at}`))
    let turns = 0
    let counting = setImmediate(function count() {
      turns += 1
      counting = setImmediate(count)
    })
    expect(await listPaths(openLocalStorage({ type: "local", path: root }))).toEqual(["0/0"])
    clearImmediate(counting)
    expect(turns).toBeGreaterThanOrEqual(5)
    expect(turns).toBeLessThanOrEqual(100)
  })

  it("reads only folders that can contain later paths when it continues", async () => {
    const root = await makeTree(["a/1", "b/1", "c/1"])
    await mkdir(join(root, "a/locked"), { mode: 0o000 })
    const storage = openLocalStorage({ type: "local", path: root })
    expect(await listPaths(storage, { after: "b" })).toEqual(["b/1", "c/1"])
  })

  it("with what the last one found looks up only files whose state has changed, and sees every change", async () => {
    const asked: string[] = []
    const digest = "d".repeat(64)
    const digests: DigestIndex = {
      ...createMemoryDigestIndex(),
      async getMany(files) {
        asked.push(...files.map((file) => file.path))
        return files.map(() => digest)
      },
    }
    const root = await makeTree(["a/bytes", "a/gone", "a/replaced", "a/same", "b/same", "b/size", "b/time", "target"])
    await symlink("../target", join(root, "a/link"))
    const storage = openLocalStorage({ type: "local", path: root }, { digests })
    const listed = createListedFiles<StoredFile>(100)
    const list = async (): Promise<readonly StoredFile[]> => Array.fromAsync(storage.list({ listed }))
    /** Lists with and without what is known, and returns the paths that were looked up with it. */
    async function lookedUp(): Promise<readonly string[]> {
      asked.length = 0
      const found = await list()
      const paths = asked.toSorted()
      expect(found).toEqual(await Array.fromAsync(storage.list()))
      return paths
    }
    expect(await lookedUp()).toHaveLength(9)
    expect(listed.isPlain).toBe(false)
    // Through a link, the file is looked up in any case.
    expect(await lookedUp()).toEqual(["target"])
    await rm(join(root, "a/link"))
    expect(await lookedUp()).toEqual([])
    expect(listed.isPlain).toBe(true)

    const { mtime } = await stat(join(root, "b/time"))
    await writeFile(join(root, "b/size"), "longer")
    await writeFile(join(root, "a/bytes"), "12")
    expect(await lookedUp()).toEqual(["a/bytes", "b/size"])
    // The same size and the same time of modification: the time of the change differs.
    await writeFile(join(root, "b/time"), "")
    await utimes(join(root, "b/time"), mtime, mtime)
    await rm(join(root, "a/gone"))
    await writeAll(storage, "a/replaced", Buffer.from("new"))
    await writeAll(storage, "c", Buffer.from("new"))
    expect(await lookedUp()).toEqual(["a/replaced", "b/time", "c"])
    expect(listed.size).toBe(8)
    // A folder that a link to another one replaces.
    await rename(join(root, "b"), join(root, "moved"))
    await symlink("moved", join(root, "b"))
    expect(await lookedUp()).toEqual([
      "moved/same",
      "moved/same",
      "moved/size",
      "moved/size",
      "moved/time",
      "moved/time",
    ])
    expect(await lookedUp()).toEqual(["moved/same", "moved/size", "moved/time"])
  })

  it("with what the last one found sees a digest that has become known meanwhile", async () => {
    let digest: string | undefined
    const digests: DigestIndex = { ...createMemoryDigestIndex(), getMany: async (files) => files.map(() => digest) }
    const storage = openLocalStorage({ type: "local", path: await makeTree(["a"]) }, { digests })
    const listed = createListedFiles<StoredFile>(100)
    const list = async () => (await Array.fromAsync(storage.list({ listed })))[0]?.sha256
    expect(await list()).toBeNull()
    digest = "d".repeat(64)
    expect([await list(), await list()]).toEqual([digest, digest])
  })

  it("knows nothing of a folder with more files than it may remember", async () => {
    const storage = openLocalStorage({ type: "local", path: await makeTree(["a", "b", "c"]) })
    const listed = createListedFiles<StoredFile>(2)
    expect(await Array.fromAsync(storage.list({ listed }))).toHaveLength(3)
    expect(listed.size).toBe(0)
    expect(await Array.fromAsync(storage.list({ listed }))).toEqual(await Array.fromAsync(storage.list()))
  })
})
