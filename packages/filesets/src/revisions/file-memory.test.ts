import { parseFilePath } from "@assay/storage"
import { describe, expect, it } from "vitest"
import { filesInMemory } from "./ordered-files.ts"
import { createFileMemory } from "./file-memory.ts"
import { revisionOf, type Revision } from "./revisions.ts"

const tree = (commit: string, files: number) =>
  revisionOf(
    { commit, createdAt: 0, title: "" },
    filesInMemory(
      Array.from({ length: files }, (_, index) => ({
        path: parseFilePath(String(index)),
        size: 0,
        version: "",
        sha256: null,
      })),
    ),
  )

const open = () => createFileMemory<Revision>({ maxFiles: 100, filesOf: ({ files }) => files.held })

describe("revisions in memory", () => {
  it("are the most recently used ones, up to a number of files", () => {
    const memory = open()
    for (const commit of ["1", "2", "3"]) memory.put("a", commit, tree(commit, 20))
    expect(memory.get("a", "1")?.commit).toBe("1")
    memory.put("b", "4", tree("4", 20))
    expect(["1", "2", "3"].map((commit) => memory.get("a", commit)?.commit)).toEqual(["1", undefined, "3"])
    expect(memory.get("a", "4")).toBeUndefined()
  })

  it("include at least the newest one, however large it is", () => {
    const memory = open()
    memory.put("a", "small", tree("small", 1))
    memory.put("a", "large", tree("large", 1000))
    expect([memory.get("a", "small"), memory.get("a", "large")?.commit]).toEqual([undefined, "large"])
    memory.put("a", "large", tree("large", 1000))
    memory.put("a", "next", tree("next", 1))
    expect([memory.get("a", "large"), memory.get("a", "next")?.commit]).toEqual([undefined, "next"])
  })
})
