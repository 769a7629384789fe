import { expect, it } from "vitest"
import { proposedName, withoutOnlyFolder } from "./files-of-fileset.ts"

const filesAt = (...paths: string[]) => paths.map((path) => ({ path, file: new File([], "x") }))

it("a fileset is named after the only folder or file that is dropped", () => {
  expect(proposedName(filesAt("my reviews (1)/a.txt", "my reviews (1)/b/c.txt"))).toBe("my-reviews-1-")
  expect(proposedName(filesAt("rows.v2.jsonl"))).toBe("rows.v2")
  expect(proposedName(filesAt("a.txt", "b.txt"))).toBe("")
  expect(proposedName(filesAt("..\u202e"))).toBe("")
  expect(proposedName([])).toBe("")
})

it("the only folder becomes the fileset", () => {
  const paths = (...given: string[]) => withoutOnlyFolder(filesAt(...given)).map(({ path }) => path)
  expect(paths("set/a.txt", "set/b/c.txt")).toEqual(["a.txt", "b/c.txt"])
  expect(paths("set/a.txt", "other/b.txt")).toEqual(["set/a.txt", "other/b.txt"])
  expect(paths("a.txt")).toEqual(["a.txt"])
})
