import { expect, it } from "vitest"
import { verifies } from "./verifies.ts"
import { compareCodePoints } from "../compare-code-points.ts"
import { parseFilePath } from "../file-path.ts"
import { listPaths, openFor } from "./ask.ts"
import type { StorageContract } from "./contract-subject.ts"
import { sampleBytes } from "./sample-bytes.ts"

const CONTENT = sampleBytes(3)

function filesAt(paths: readonly string[]): Record<string, Uint8Array> {
  return Object.fromEntries(paths.map((path) => [path, CONTENT]))
}

/** In the order in which they must be listed: `-` and `.` come before the slash, `0` after it. */
const TREE = ["a-b", "a.txt", "a/b-c", "a/b/c", "a/b0", "a/b0x", "a0", "ab", "b/c/d", "b0", "\uffee", "\u{1f600}"]

/** Each prefix, and what is below it. */
const PREFIXES: readonly (readonly [string, readonly string[]])[] = [
  ["", TREE],
  // No neighbour that begins alike.
  ["a", ["a/b-c", "a/b/c", "a/b0", "a/b0x"]],
  ["a/", ["a/b-c", "a/b/c", "a/b0", "a/b0x"]],
  ["a/b", ["a/b/c"]],
  ["a/b0", ["a/b0"]],
  ["a/b0/", []],
  ["a.txt/b", []],
  ["c/d", []],
]

/** What is there, and in which order. */
export function describeListings(contract: StorageContract): void {
  it("lists nothing in an empty storage", async () => {
    const { storage } = await openFor(contract)
    expect(await listPaths(storage)).toEqual([])
    expect(await listPaths(storage, { prefix: "a" })).toEqual([])
  })

  it("lists in code-point order of the whole path, again and again", verifies("files.list.order"), async () => {
    const { storage } = await openFor(contract, filesAt(TREE.toReversed()))
    expect(await listPaths(storage)).toEqual(TREE)
    expect(await listPaths(storage)).toEqual(TREE)
  })

  it(
    "lists what is at a path or below it, and nothing else",
    verifies("files.list.path", "files.list.no-path", "files.list.trailing-slash"),
    async () => {
      const { storage } = await openFor(contract, filesAt(TREE))
      for (const [prefix, expected] of PREFIXES)
        expect(await listPaths(storage, { prefix }), `below '${prefix}'`).toEqual(expected)
    },
  )

  it("goes on after any path, itself not included, whether it is there or not", async () => {
    const { storage } = await openFor(contract, filesAt(TREE))
    const marks = [...TREE, "a", "a/", "a/b", "a/b/", "a/b/zz", "a/zz", "a\u{1f600}", "b", "b/c/d/e", "\u{1f601}", "0"]
    for (const after of marks) {
      const expected = TREE.filter((path) => compareCodePoints(path, after) > 0)
      expect(await listPaths(storage, { after }), after).toEqual(expected)
      const below = expected.filter((path) => path.startsWith("a/"))
      expect(await listPaths(storage, { after, prefix: "a" }), after).toEqual(below)
    }
  })

  it("lists what lies deep", async () => {
    const deep = Array.from({ length: 60 }, (_, level) => `level-${level}`).join("/")
    const { storage } = await openFor(contract, filesAt([`${deep}/file`]))
    expect(await listPaths(storage)).toEqual([`${deep}/file`])
    expect(await listPaths(storage, { prefix: "level-0/level-1" })).toEqual([`${deep}/file`])
  })

  it.skipIf(contract.isSlow)("lists more than a thousand files, each once", async () => {
    const paths = Array.from({ length: 1050 }, (_, at) => `${at % 3}/file-${String(at).padStart(4, "0")}`)
    const { storage } = await openFor(contract, filesAt(paths))
    expect(await listPaths(storage)).toEqual(paths.toSorted(compareCodePoints))
  })

  it("can be left early, and ends with the reason when it is aborted", async () => {
    const { storage } = await openFor(contract, filesAt(TREE))
    for await (const file of storage.list()) {
      expect(file.path).toBe(parseFilePath("a-b"))
      break
    }
    const signal = AbortSignal.abort(new Error("nobody listens"))
    await expect(listPaths(storage, { signal })).rejects.toThrow("nobody listens")
  })
}
