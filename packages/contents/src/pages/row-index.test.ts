import { parseFilePath } from "@assay/storage"
import { describe, expect, it } from "vitest"
import { makeRowFolder } from "../testing/row-folder.ts"
import { buildRowIndex, markBefore, offsetBehind } from "./row-index.ts"

async function indexOf(path: string, content: string, compression: "gzip" | null = null) {
  const { storage } = await makeRowFolder({ [path]: content })
  const stored = await storage.stat(parseFilePath(path))
  return buildRowIndex(storage, stored, { encoding: "lines", compression }, { csv: undefined, signal: undefined })
}

describe("a row index", () => {
  it("marks the positions of some rows", async () => {
    const index = await indexOf("a.jsonl", "\n1\n".repeat(600))
    expect(index).toEqual({ total: 600, head: { encoding: "lines" }, marks: [0, 2, 1, 256, 514, 769, 512, 1026, 1537] })
    expect(markBefore(index, 300)).toEqual({ head: { encoding: "lines" }, rowIndex: 256, line: 514, offset: 769 })
    expect(markBefore(index, 256)?.rowIndex).toBe(256)
    expect([offsetBehind(index, 256), offsetBehind(index, 257), offsetBehind(index, 513)]).toEqual([
      769,
      1537,
      undefined,
    ])
  })

  it("has no marks if nothing can be read", async () => {
    const index = await indexOf("a.jsonl", "")
    expect(index).toEqual({ total: 0, head: null, marks: [], notes: ["the file is empty: it has 0 bytes"] })
    expect(markBefore(index, 0)).toBeUndefined()
  })

  it("has a bounded number of marks, at larger distances for more rows", async () => {
    const { marks, total } = await indexOf("a.jsonl", "1\n".repeat(3_000_000))
    expect(total).toBe(3_000_000)
    expect(marks.length / 3).toBeLessThanOrEqual(8192)
    expect(marks.length / 3).toBeGreaterThan(4000)
    const rows = marks.filter((_, index) => index % 3 === 0)
    expect(new Set(rows.slice(1).map((row, index) => row - (rows[index] ?? 0)))).toEqual(new Set([512]))
    expect(rows.every((row, index) => marks[3 * index + 2] === 2 * row)).toBe(true)
  })
})
