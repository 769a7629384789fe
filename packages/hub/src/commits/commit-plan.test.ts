import { compareCodePoints, parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { filesInMemory, type OrderedFiles, revisionOf } from "@assay/filesets/testing"
import type { RevisionFile } from "@assay/filesets"
import { planCommit, type CommitRequest } from "./commit-plan.ts"

const revision = (files: OrderedFiles) => revisionOf({ commit: "c", createdAt: 0, title: "" }, files)

function filesAt(paths: readonly string[]): readonly RevisionFile[] {
  return paths.toSorted(compareCodePoints).map((path) => {
    return { path: parseFilePath(path), size: 1, version: path, sha256: "old" }
  })
}

const request = (writes: readonly string[], deletes: readonly string[]): CommitRequest => ({
  title: "",
  parent: undefined,
  writes: new Map(writes.map((path) => [parseFilePath(path), "new"])),
  deletes: new Map(deletes.map((path) => [path, false])),
})

const anyPath = fc
  .array(fc.constantFrom("a", "b", "a.", "ab"), { minLength: 1, maxLength: 4 })
  .map((names) => names.join("/"))

/** Paths of which none is a folder of another one. */
const anyPaths = fc
  .uniqueArray(anyPath, { maxLength: 30 })
  .map((paths) => paths.filter((path) => !paths.some((other) => other.startsWith(`${path}/`))))

describe("planCommit", () => {
  it("deletes each file once, those in the way of a write first", async () => {
    const anyDeletes = fc.array(
      fc.tuple(anyPath, fc.boolean()).map(([path, isFolder]) => (isFolder ? `${path}/` : path)),
    )
    await fc.assert(
      fc.asyncProperty(anyPaths, anyPaths, anyDeletes, async (paths, writes, deletes) => {
        const plan = await planCommit(revision(filesInMemory(filesAt(paths))), request(writes, deletes))
        const gone = paths.filter(
          (path) =>
            !writes.includes(path) && deletes.some((one) => (one.endsWith("/") ? path.startsWith(one) : path === one)),
        )
        const isInTheWay = (path: string) =>
          writes.some((written) => written.startsWith(`${path}/`) || path.startsWith(`${written}/`))
        const [clear, others] = [await Array.fromAsync(plan.clear()), await Array.fromAsync(plan.deletes())]
        expect(clear.toSorted()).toEqual(gone.filter(isInTheWay).toSorted())
        expect(others.toSorted()).toEqual(gone.filter((path) => !isInTheWay(path)).toSorted())
        const changing = new Set([...gone, ...writes])
        expect(paths.filter((path) => plan.changes(parseFilePath(path)))).toEqual(
          paths.filter((path) => changing.has(path)),
        )
      }),
    )
  })

  it("reads the files of a deleted folder only while they are deleted", verifies("hub.delete-many"), async () => {
    const run = 1000
    const files = filesAt(Array.from({ length: 20 * run }, (_, index) => `folder/${index}`))
    const all = filesInMemory(files)
    let read = 0
    const inRuns: OrderedFiles = {
      ...all,
      async runAt(index) {
        read += 1
        const from = Math.floor(index / run) * run
        return { from, files: files.slice(from, from + run) }
      },
    }
    const plan = await planCommit(revision(inRuns), request([], ["folder/"]))
    // Where the folder begins and ends.
    expect(read).toBeLessThan(5)
    const before = read
    let deleted = 0
    for await (const _ of plan.deletes()) {
      deleted += 1
      if (deleted === run) expect(read - before).toBe(1)
    }
    expect([deleted, read - before]).toEqual([files.length, 20])
    expect(await Array.fromAsync(plan.clear())).toEqual([])
    expect(read - before).toBe(20)
  })
})
