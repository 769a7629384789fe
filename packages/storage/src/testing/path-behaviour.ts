import { expect, it } from "vitest"
import { parseFilePath } from "../file-path.ts"
import { codeOf, listPaths, openFor, readAll } from "./ask.ts"
import type { StorageContract } from "./contract-subject.ts"
import { sampleBytes } from "./sample-bytes.ts"

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

/** Names that systems like to change. */
export function describePaths(contract: StorageContract): void {
  it.each(NAMES)("keeps the name %j [files.path.unicode]", async (name) => {
    const content = sampleBytes(20)
    const { storage } = await openFor(contract, { [name]: content, [`folder ${name}/${name}`]: content })
    expect(await readAll(storage, name)).toEqual(Buffer.from(content))
    expect(await readAll(storage, `folder ${name}/${name}`)).toEqual(Buffer.from(content))
    expect(await listPaths(storage, { prefix: `folder ${name}` })).toEqual([`folder ${name}/${name}`])
    expect((await listPaths(storage)).toSorted()).toEqual([name, `folder ${name}/${name}`].toSorted())
  })

  it("keeps Unicode normal forms and letter cases apart [files.path.unicode]", async () => {
    const names = ["\u00e9", "e\u0301", "A", "a"]
    const files = Object.fromEntries(names.map((name, index) => [name, sampleBytes(10, index + 1)]))
    const { storage } = await openFor(contract, files)
    for (const name of names) expect(await readAll(storage, name), name).toEqual(Buffer.from(files[name] ?? []))
    expect(await listPaths(storage)).toHaveLength(names.length)
  })

  it("takes a path as long as the rules allow [files.path.length, files.path.segment-length]", async () => {
    const longest = [255, 255, 255, 254, 1].map((length) => "x".repeat(length)).join("/")
    const widest = `${"é".repeat(127)}x`
    const { storage } = await openFor(contract, { [longest]: sampleBytes(5), [widest]: sampleBytes(6) })
    expect(await storage.stat(parseFilePath(longest))).toMatchObject({ size: 5 })
    expect(await storage.stat(parseFilePath(widest))).toMatchObject({ size: 6 })
    expect(await listPaths(storage)).toEqual([longest, widest])
  })

  it("lists below no prefix that leaves the root [files.path.dot-segments]", async () => {
    const { storage } = await openFor(contract, { file: sampleBytes(5) })
    for (const prefix of ["..", "../", "a/../..", "/", "/file", "a//b", "."]) {
      expect(await codeOf(listPaths(storage, { prefix })), prefix).toBe("bad_path")
    }
    expect(() => parseFilePath("../file")).toThrow("'..'")
  })
}
