import { expect, it } from "vitest"
import { compareCodePoints, parseFilePath } from "../file-path.ts"
import { codeOf, listPaths, openFor, readAll } from "./ask.ts"
import type { StorageContract } from "./contract-subject.ts"
import { sampleBytes } from "./sample-bytes.ts"
import { verifies } from "./verifies.ts"

const NAMES: readonly string[] = [
  "with space",
  " around ",
  "plus+and&ampersand",
  "percent%41",
  "hash#question?",
  "quote'double\"",
  "star*pipe|colon:",
  "brackets[1]{2}(3)",
  "tilde~",
  ".hidden",
  "...",
  "-dash",
  "日本語",
  "emoji😀",
  "combining\u0301",
  "no-break\u00a0space",
  "$(sub)`shell`",
]

/** Tests of names that systems tend to change. */
export function describePaths(contract: StorageContract): void {
  it("keep names of files and folders that systems tend to change", verifies("files.path.unicode"), async () => {
    // A slow server gets a few paths with many names each.
    const groups = contract.isSlow === true ? [NAMES.slice(0, 9), NAMES.slice(9)] : NAMES.map((name) => [name])
    const nested = groups.map((names) => [`folder ${names.join("/folder ")}`, names.at(-1)] as const)
    const below = nested.map(([folder, name]) => `${folder}/${name}`)
    const paths = [...(contract.isSlow === true ? [] : NAMES), ...below]
    const files = Object.fromEntries(paths.map((path, index) => [path, sampleBytes(20, index + 1)]))
    const { storage } = await openFor(contract, files)
    for (const path of paths) expect(await readAll(storage, path), path).toEqual(Buffer.from(files[path] ?? []))
    for (const [folder, name] of nested)
      expect(await listPaths(storage, { prefix: folder }), folder).toEqual([`${folder}/${name}`])
    expect(await listPaths(storage)).toEqual(paths.toSorted(compareCodePoints))
  })

  it("keep Unicode normal forms and letter cases apart", verifies("files.path.unicode"), async () => {
    const names = ["\u00e9", "e\u0301", "A", "a"]
    const files = Object.fromEntries(names.map((name, index) => [name, sampleBytes(10, index + 1)]))
    const { storage } = await openFor(contract, files)
    for (const name of names) expect(await readAll(storage, name), name).toEqual(Buffer.from(files[name] ?? []))
    expect(await listPaths(storage)).toHaveLength(names.length)
  })

  it("may be as long as the rules allow", verifies("files.path.length", "files.path.segment-length"), async () => {
    const longest = [255, 255, 255, 254, 1].map((length) => "x".repeat(length)).join("/")
    const widest = `${"é".repeat(127)}x`
    const { storage } = await openFor(contract, { [longest]: sampleBytes(5), [widest]: sampleBytes(6) })
    expect(await storage.stat(parseFilePath(longest))).toMatchObject({ size: 5 })
    expect(await storage.stat(parseFilePath(widest))).toMatchObject({ size: 6 })
    expect(await listPaths(storage)).toEqual([longest, widest])
  })

  it("are refused as a prefix if they leave the root", verifies("files.path.dot-segments"), async () => {
    const { storage } = await openFor(contract, { file: sampleBytes(5) })
    for (const prefix of ["..", "../", "a/../..", "/", "/file", "a//b", "."]) {
      expect(await codeOf(listPaths(storage, { prefix })), prefix).toBe("bad_path")
    }
    expect(() => parseFilePath("../file")).toThrow("'..'")
  })
}
