import { expect, it } from "vitest"
import { compareCodePoints, parseFilePath } from "../file-path.ts"
import { listPaths, openFor } from "./ask.ts"
import type { StorageContract } from "./contract-subject.ts"
import { sampleBytes } from "./sample-bytes.ts"
import { verifies } from "./verifies.ts"

const CONTENT = sampleBytes(3)

function filesAt(paths: readonly string[]): Record<string, Uint8Array> {
  return Object.fromEntries(paths.map((path) => [path, CONTENT]))
}

/** In listing order: `-` and `.` come before the slash, `0` after it. */
const TREE = ["a-b", "a.txt", "a/b-c", "a/b/c", "a/b0", "a/b0x", "a0", "ab", "b/c/d", "b0", "\uffee", "\u{1f600}"]

/** Each prefix, and the files below it. */
const PREFIXES: readonly (readonly [string, readonly string[]])[] = [
  ["", TREE],
  // Not `a-b` and `a.txt`, which begin alike.
  ["a", ["a/b-c", "a/b/c", "a/b0", "a/b0x"]],
  ["a/", ["a/b-c", "a/b/c", "a/b0", "a/b0x"]],
  ["a/b", ["a/b/c"]],
  ["a/b0", ["a/b0"]],
  ["a/b0/", []],
  ["a.txt/b", []],
  ["c/d", []],
]

/** Tests of what is listed and in which order. */
export function describeListings(contract: StorageContract): void {
  it("are empty for an empty storage", async () => {
    const { storage } = await openFor(contract)
    expect(await listPaths(storage)).toEqual([])
    expect(await listPaths(storage, { prefix: "a" })).toEqual([])
  })

  it("are in code-point order of the whole path, every time", verifies("files.list.order"), async () => {
    const { storage } = await openFor(contract, filesAt(TREE.toReversed()))
    expect(await listPaths(storage)).toEqual(TREE)
    expect(await listPaths(storage)).toEqual(TREE)
  })

  it(
    "contain the files at a path or below it, and no others",
    verifies("files.list.path", "files.list.no-path", "files.list.trailing-slash"),
    async () => {
      const { storage } = await openFor(contract, filesAt(TREE))
      for (const [prefix, expected] of PREFIXES)
        expect(await listPaths(storage, { prefix }), `below '${prefix}'`).toEqual(expected)
    },
  )

  it("continue after any path, excluding it, whether or not it exists", async () => {
    const { storage } = await openFor(contract, filesAt(TREE))
    const marks = [...TREE, "a", "a/", "a/b", "a/b/", "a/b/zz", "a/zz", "a\u{1f600}", "b", "b/c/d/e", "\u{1f601}", "0"]
    for (const after of marks) {
      const expected = TREE.filter((path) => compareCodePoints(path, after) > 0)
      expect(await listPaths(storage, { after }), after).toEqual(expected)
      const below = expected.filter((path) => path.startsWith("a/"))
      expect(await listPaths(storage, { after, prefix: "a" }), after).toEqual(below)
    }
  })

  it("of one level name each folder once, and continue after any entry", verifies("files.list.level"), async () => {
    const { storage } = await openFor(contract, filesAt([...TREE, "b/\u{10FFFF}late"]))
    const level = async (folder: string, after?: string, expected?: number) =>
      storage.level && (await Array.fromAsync(storage.level({ folder, after, expected }))).map(({ path }) => path)
    if (storage.level === undefined) return
    const root = ["a-b", "a.txt", "a/", "a0", "ab", "b/", "b0", "\uffee", "\u{1f600}"]
    expect(await level("")).toEqual(root)
    expect(await level("", "", 2)).toEqual(root)
    for (const [at, after] of root.entries()) expect(await level("", after, 1), after).toEqual(root.slice(at + 1))
    expect(await level("a/")).toEqual(["a/b-c", "a/b/", "a/b0", "a/b0x"])
    expect(await level("a/", "a/b/")).toEqual(["a/b0", "a/b0x"])
    expect(await level("a.txt/")).toEqual([])
    expect(await level("gone/")).toEqual([])
    await expect(level("../")).rejects.toMatchObject({ code: "bad_path" })
  })

  it("contain deeply nested files", async () => {
    const deep = Array.from({ length: 60 }, (_, level) => `level-${level}`).join("/")
    const { storage } = await openFor(contract, filesAt([`${deep}/file`]))
    expect(await listPaths(storage)).toEqual([`${deep}/file`])
    expect(await listPaths(storage, { prefix: "level-0/level-1" })).toEqual([`${deep}/file`])
  })

  it.skipIf(contract.isSlow)("contain each of more than a thousand files once", async () => {
    const paths = Array.from({ length: 1050 }, (_, at) => `${at % 3}/file-${String(at).padStart(4, "0")}`)
    const { storage } = await openFor(contract, filesAt(paths))
    expect(await listPaths(storage)).toEqual(paths.toSorted(compareCodePoints))
  })

  it("can end early, and end with the reason when they are aborted", async () => {
    const { storage } = await openFor(contract, filesAt(TREE))
    for await (const file of storage.list()) {
      expect(file.path).toBe(parseFilePath("a-b"))
      break
    }
    const signal = AbortSignal.abort(new Error("nobody listens"))
    await expect(listPaths(storage, { signal })).rejects.toThrow("nobody listens")
  })
}
