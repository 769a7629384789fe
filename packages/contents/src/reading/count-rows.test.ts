import { gzipSync } from "node:zlib"
import { parseFilePath } from "@assay/storage"
import { describe, expect, it } from "vitest"
import { makeRowFolder, rowsOf } from "../testing/row-folder.ts"
import { countRows } from "./count-rows.ts"

const LINES = '{"a":1}\n\n{"broken\n5\n'

describe("the row count of a file", () => {
  it.each<[string, string | Uint8Array, number]>([
    ["a.jsonl", LINES, 3],
    ["a.jsonl.gz", gzipSync(LINES), 3],
    ["a.json", '[{"a":1},{"b":2}]', 2],
    ["a.json", "[,2,]", 3],
    ["a.json", '{"a":\n[1]}', 1],
    ["a.csv", "a,b\n1,x\n2\n", 2],
    ["a.csv", 'a\n"x\n\ny"\n', 1],
    ["a.csv", "a\nx\n\n", 2],
    ["a.tsv", "", 0],
    ["a.parquet", "no parquet", 1],
  ])("is the number of rows that are read: %s", async (path, content, count) => {
    const { storage } = await makeRowFolder({ [path]: content })
    expect(await countRows(storage, parseFilePath(path))).toBe(count)
    expect(await rowsOf(storage, path)).toHaveLength(count)
  })

  it("is at most the limit", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": LINES })
    expect(await countRows(storage, parseFilePath("a.jsonl"), { limit: 2 })).toBe(2)
  })
})
