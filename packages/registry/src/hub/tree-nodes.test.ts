import { parseFilePath } from "@assay/storage"
import { describe, expect, it } from "vitest"
import type { Revision } from "../revisions/revisions.ts"
import { folderId, foldersOf, nodesIn } from "./tree-nodes.ts"

function treeOf(...paths: string[]): Revision {
  const files = paths.map((path) => ({ path: parseFilePath(path), size: 1, version: path, sha256: null }))
  return { commit: "", createdAt: 0, title: "", files, get: (path) => files.find((file) => file.path === path) }
}

const TREE = treeOf("a", "b-1", "b/c/d", "b/c/e", "b/f", "b0", "g/h/i/j")

const show = (path: string, recursive: boolean) =>
  nodesIn(TREE, path, recursive)?.map((node) => ("file" in node ? node.file.path : `${node.folder.path}/`))

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

  it("returns undefined for an unknown folder; the root always exists", () => {
    for (const path of ["x", "a", "b/", "b/c/d", "b-"]) expect(show(path, true)).toBeUndefined()
    expect(nodesIn(treeOf(), "", false)).toEqual([])
  })

  it("gives a folder an id that changes with its contents", () => {
    const idOf = (tree: Revision, path: string) => {
      const folder = foldersOf(tree).get(path)
      return folder && folderId(tree, folder)
    }
    expect(idOf(TREE, "b")).toMatch(/^[0-9a-f]{40}$/)
    expect(idOf(treeOf("a", "b/c/d", "b/c/e", "b/f"), "b")).toBe(idOf(TREE, "b"))
    expect(idOf(treeOf("b/c/d", "b/f"), "b")).not.toBe(idOf(TREE, "b"))
    expect(idOf(TREE, "b/c")).not.toBe(idOf(TREE, "b"))
  })
})
