import { describe, expect, it } from "vitest"
import { makeRowFolder } from "../testing/row-folder.ts"
import { rowsOfFiles } from "./rows-of-files.ts"

describe("the rows of files", () => {
  const FILES = {
    "a/one.jsonl": '{"n":1}\n{broken\n',
    "a/two.csv": "n\n3\n",
    "ab.jsonl": '{"n":4}\n',
    "a/README.md": "# No rows",
  }

  async function read(path: string | undefined) {
    const { storage } = await makeRowFolder(FILES)
    const rows = await Array.fromAsync(rowsOfFiles(storage, path, {}))
    return rows.map(({ file, number, fault }) => `${file} ${number}${fault === null ? "" : " fault"}`)
  }

  it.each<[string | undefined, readonly string[]]>([
    [undefined, ["a/one.jsonl 1", "a/one.jsonl 2 fault", "a/two.csv 1", "ab.jsonl 1"]],
    ["a", ["a/one.jsonl 1", "a/one.jsonl 2 fault", "a/two.csv 1"]],
    ["a/", ["a/one.jsonl 1", "a/one.jsonl 2 fault", "a/two.csv 1"]],
    ["a/two.csv", ["a/two.csv 1"]],
    ["a/README.md", []],
  ])(
    "are those of a file, of a folder or of all files with rows, counted from 1 in each file: %j",
    async (path, rows) => {
      expect(await read(path)).toEqual(rows)
    },
  )

  it("keep their values", async () => {
    const { storage } = await makeRowFolder(FILES)
    const [first] = await Array.fromAsync(rowsOfFiles(storage, "ab.jsonl", {}))
    expect(first).toEqual({ file: "ab.jsonl", number: 1, row: { n: 4 }, fault: null })
  })
})
