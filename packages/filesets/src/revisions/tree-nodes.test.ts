import { parseFilePath } from "@assay/storage"
import { describe, expect, it } from "vitest"
import { folderIds } from "./folder-ids.ts"
import { filesInMemory, findFolder } from "./ordered-files.ts"
import type { RevisionFile } from "./revision-file.ts"
import { nodesIn, type NodesPage, type TreeNode, type TreePosition } from "./tree-nodes.ts"

function filesOf(...paths: string[]): readonly RevisionFile[] {
  return paths.map((path) => ({ path: parseFilePath(path), size: 1, version: path, sha256: null }))
}

const PATHS = filesOf("a", "b-1", "b/c/d", "b/c/e", "b/f", "b0", "g/h/i/j")
const FILES = filesInMemory(PATHS)

const nameOf = (node: TreeNode) => ("file" in node ? node.file.path : `${node.folder.path}/`)

/** Lists a folder in pages of `limit` nodes. */
async function show(path: string, recursive: boolean, limit = 1000): Promise<string[] | undefined> {
  const within = await findFolder(FILES, path)
  if (within === undefined) return undefined
  const shown: string[] = []
  let start: TreePosition | undefined = { index: 0, skip: 0 }
  while (start !== undefined) {
    const { nodes, next }: NodesPage = await nodesIn(FILES, within, { recursive, start, limit })
    // Only the last page can have fewer nodes, and it is never empty.
    expect(nodes.length).toBe(next === undefined ? Math.min(Math.max(nodes.length, 1), limit) : limit)
    shown.push(...nodes.map(nameOf))
    start = next
  }
  return shown
}

describe("nodesIn", () => {
  it("returns the next level, each folder before its contents", async () => {
    expect(await show("", false)).toEqual(["a", "b-1", "b/", "b0", "g/"])
    expect(await show("b", false)).toEqual(["b/c/", "b/f"])
    expect(await show("g", false)).toEqual(["g/h/"])
  })

  it("returns all levels if recursive", async () => {
    const all = "a b-1 b/ b/c/ b/c/d b/c/e b/f b0 g/ g/h/ g/h/i/ g/h/i/j"
    expect(await show("", true)).toEqual(all.split(" "))
    expect(await show("b/c", true)).toEqual(["b/c/d", "b/c/e"])
  })

  it("returns the same nodes in pages of any size", async () => {
    for (const path of ["", "b", "g"]) {
      for (const recursive of [true, false]) {
        for (const limit of [1, 2, 3, 4, 5, 12])
          expect(await show(path, recursive, limit)).toEqual(await show(path, recursive))
      }
    }
  })

  it("reads only the files of its page", async () => {
    const paths = Array.from({ length: 100_000 }, (_, index) => `${String(index).padStart(6, "0")}/x`)
    let reads = 0
    const counted = filesInMemory(
      new Proxy(filesOf(...paths), {
        get(files, key) {
          if (typeof key === "string" && /^\d+$/.test(key)) reads += 1
          return Reflect.get(files, key)
        },
      }),
    )
    const within = { path: "", from: 0, to: paths.length }
    for (const recursive of [true, false]) {
      await nodesIn(counted, within, { recursive, start: { index: 90_000, skip: 0 }, limit: 100 })
    }
    expect(reads).toBeGreaterThan(100)
    expect(reads).toBeLessThan(5000)
  })

  it("does not find unknown folders; the root always exists", async () => {
    for (const path of ["x", "a", "b/", "b/c/d", "b-"]) expect(await show(path, true)).toBeUndefined()
    expect(await findFolder(filesInMemory([]), "")).toEqual({ path: "", from: 0, to: 0 })
  })

  it("gives a folder an id that changes with its contents", async () => {
    const idOf = async (files: readonly RevisionFile[], path: string) => {
      const folder = await findFolder(filesInMemory(files), path)
      return folder && folderIds(files, [folder]).get(path)
    }
    expect(await idOf(PATHS, "b")).toMatch(/^[0-9a-f]{40}$/)
    expect(await idOf(filesOf("a", "b/c/d", "b/c/e", "b/f"), "b")).toBe(await idOf(PATHS, "b"))
    expect(await idOf(filesOf("b/c/d", "b/f"), "b")).not.toBe(await idOf(PATHS, "b"))
    expect(await idOf(filesOf("b/c/d/e", "b/f"), "b")).not.toBe(await idOf(filesOf("b/c/d", "b/f"), "b"))
    expect(await idOf(PATHS, "b/c")).not.toBe(await idOf(PATHS, "b"))
  })
})
