import { parseFilePath } from "@assay/storage"
import { describe, expect, it } from "vitest"
import { findFolder } from "../revisions/file-order.ts"
import type { RevisionFile } from "../revisions/revisions.ts"
import { folderIds, nodesIn, type TreeNode, type TreePosition } from "./tree-nodes.ts"

function filesOf(...paths: string[]): readonly RevisionFile[] {
  return paths.map((path) => ({ path: parseFilePath(path), size: 1, version: path, sha256: null }))
}

const FILES = filesOf("a", "b-1", "b/c/d", "b/c/e", "b/f", "b0", "g/h/i/j")

const nameOf = (node: TreeNode) => ("file" in node ? node.file.path : `${node.folder.path}/`)

/** Lists a folder in pages of `limit` nodes. */
function show(path: string, recursive: boolean, limit = 1000): string[] | undefined {
  const within = findFolder(FILES, path)
  if (within === undefined) return undefined
  const shown: string[] = []
  let start: TreePosition | undefined = { index: 0, skip: 0 }
  while (start !== undefined) {
    const { nodes, next } = nodesIn(FILES, within, { recursive, start, limit })
    // Only the last page can have fewer nodes, and it is never empty.
    expect(nodes.length).toBe(next === undefined ? Math.min(Math.max(nodes.length, 1), limit) : limit)
    shown.push(...nodes.map(nameOf))
    start = next
  }
  return shown
}

describe("nodesIn", () => {
  it("returns the next level, each folder before its contents", () => {
    expect(show("", false)).toEqual(["a", "b-1", "b/", "b0", "g/"])
    expect(show("b", false)).toEqual(["b/c/", "b/f"])
    expect(show("g", false)).toEqual(["g/h/"])
  })

  it("returns all levels if recursive", () => {
    const all = "a b-1 b/ b/c/ b/c/d b/c/e b/f b0 g/ g/h/ g/h/i/ g/h/i/j"
    expect(show("", true)).toEqual(all.split(" "))
    expect(show("b/c", true)).toEqual(["b/c/d", "b/c/e"])
  })

  it("returns the same nodes in pages of any size", () => {
    for (const path of ["", "b", "g"]) {
      for (const recursive of [true, false]) {
        for (const limit of [1, 2, 3, 4, 5, 12]) expect(show(path, recursive, limit)).toEqual(show(path, recursive))
      }
    }
  })

  it("reads only the files of its page", () => {
    const paths = Array.from({ length: 100_000 }, (_, index) => `${String(index).padStart(6, "0")}/x`)
    let reads = 0
    const counted = new Proxy(filesOf(...paths), {
      get(files, key) {
        if (typeof key === "string" && /^\d+$/.test(key)) reads += 1
        return Reflect.get(files, key)
      },
    })
    const within = { path: "", from: 0, to: paths.length }
    for (const recursive of [true, false]) {
      nodesIn(counted, within, { recursive, start: { index: 90_000, skip: 0 }, limit: 100 })
    }
    expect(reads).toBeGreaterThan(100)
    expect(reads).toBeLessThan(5000)
  })

  it("does not find unknown folders; the root always exists", () => {
    for (const path of ["x", "a", "b/", "b/c/d", "b-"]) expect(show(path, true)).toBeUndefined()
    expect(findFolder([], "")).toEqual({ path: "", from: 0, to: 0 })
  })

  it("gives a folder an id that changes with its contents", () => {
    const idOf = (files: readonly RevisionFile[], path: string) => {
      const folder = findFolder(files, path)
      return folder && folderIds(files, [folder]).get(path)
    }
    expect(idOf(FILES, "b")).toMatch(/^[0-9a-f]{40}$/)
    expect(idOf(filesOf("a", "b/c/d", "b/c/e", "b/f"), "b")).toBe(idOf(FILES, "b"))
    expect(idOf(filesOf("b/c/d", "b/f"), "b")).not.toBe(idOf(FILES, "b"))
    expect(idOf(filesOf("b/c/d/e", "b/f"), "b")).not.toBe(idOf(filesOf("b/c/d", "b/f"), "b"))
    expect(idOf(FILES, "b/c")).not.toBe(idOf(FILES, "b"))
  })
})
