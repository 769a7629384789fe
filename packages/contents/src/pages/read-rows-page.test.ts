import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { parseFilePath, type ReadOptions, type Storage } from "@assay/storage"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { parquetWriteBuffer } from "hyparquet-writer"
import { describe, expect, it } from "vitest"
import { makeRowFolder, rowsOf } from "../testing/row-folder.ts"
import { testSchemas } from "../testing/test-schemas.ts"
import { openPageRows, readRowsPage } from "./read-rows-page.ts"
import { createMemoryRowIndexStore } from "./row-index.ts"

/** Wraps `storage` to record the ranges that are read. */
function recording(storage: Storage): { readonly watched: Storage; readonly ranges: ReadOptions["range"][] } {
  const ranges: ReadOptions["range"][] = []
  const read: Storage["read"] = (path, options) => {
    ranges.push(options?.range)
    return storage.read(path, options)
  }
  return { watched: { ...storage, read }, ranges }
}

const count = 3000
const numbers = Array.from({ length: count }, (_, index) => index)
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  "a.jsonl": numbers.map((n) => `{"n":${n}}\r\n${n % 10 === 0 ? "\n" : ""}`).join(""),
  "a.json": `[\n${numbers.map((n) => `{"n":\n${n}}`).join(",\n")}\n]`,
  "values.json": numbers.map((n) => `{"n":${n}}`).join(" "),
  "a.csv": `n,t\n${numbers.map((n) => `${n},"a\n,${n}"`).join("\n")}`,
  "a.jsonl.gz": gzipSync(numbers.map((n) => `{"n":${n}}`).join("\n")),
  "a.parquet": new Uint8Array(
    parquetWriteBuffer({ columnData: [{ name: "n", data: numbers, type: "INT32" }], rowGroupSize: 700 }),
  ),
  "long.jsonl": numbers.map((n) => (n % 100 === 7 ? `"${"x".repeat(3000)}"` : `{"n":${n}}`)).join("\n"),
  "broken.json": `[${numbers.map((n) => (n % 500 === 3 ? "{" : `{"n":${n}}`)).join(",")}`,
}

describe("a page of rows", () => {
  it.each(Object.keys(FILES))(
    "of %s has the same rows of the file, wherever it begins",
    verifies("contents.page.rows"),
    async (path) => {
      const { storage } = await makeRowFolder({ [path]: FILES[path] ?? "" })
      const all = await rowsOf(storage, path)
      const indexes = createMemoryRowIndexStore()
      await fc.assert(
        fc.asyncProperty(fc.nat(count + 10), fc.integer({ min: 1, max: 60 }), async (offset, limit) => {
          const page = await readRowsPage(storage, parseFilePath(path), { offset, limit, indexes })
          const expected = all.slice(offset, offset + limit).map(({ row_index, line, row, fault }) => ({
            row_index,
            line,
            row,
            issues: fault === null ? [] : [{ pointer: "", message: fault }],
          }))
          const next = offset + expected.length
          expect(page).toEqual({ data: expected, total: all.length, next_offset: next < all.length ? next : null })
        }),
        // Each page of Parquet is decoded for a second. The first ones are at the ends of a row group and of the file.
        path === "a.parquet"
          ? {
              numRuns: 5,
              examples: [
                [690, 30],
                [count - 10, 60],
                [count + 5, 1],
              ],
            }
          : { numRuns: 40 },
      )
    },
  )

  it("is read from near its first row if the file is indexed", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": FILES["a.jsonl"] ?? "" })
    const { watched, ranges } = recording(storage)
    const indexes = createMemoryRowIndexStore()
    const options = { offset: 2000, limit: 10, indexes }
    const first = await readRowsPage(watched, parseFilePath("a.jsonl"), options)
    expect(await readRowsPage(watched, parseFilePath("a.jsonl"), options)).toEqual(first)
    expect(ranges).toHaveLength(3)
    const [whole, part, again] = ranges
    expect([whole, again]).toEqual([undefined, part])
    expect(part).toEqual({ kind: "from", start: expect.any(Number), end: expect.any(Number) })
    const { start = 0, end = 0 } = part as { start?: number; end?: number }
    expect(end - start).toBeLessThan(10_000)
  })

  it("is counted again if the file has changed", async () => {
    const { storage, folder } = await makeRowFolder({ "a.jsonl": "1\n2\n" })
    const page = () => readRowsPage(storage, parseFilePath("a.jsonl"), { indexes })
    const indexes = createMemoryRowIndexStore()
    expect((await page()).total).toBe(2)
    await writeFile(join(folder, "a.jsonl"), "1\n2\n3\n")
    expect((await page()).total).toBe(3)
  })

  it("has the issues of each row", async () => {
    const { storage } = await makeRowFolder({ "a.csv": "id\n1\nx\n2,3\n" })
    const metadata = { schema: { properties: { id: { type: "integer" } } } }
    expect(
      await readRowsPage(storage, parseFilePath("a.csv"), { checkedBy: { metadata, schemas: testSchemas() } }),
    ).toEqual({
      data: [
        { row_index: 0, line: 2, row: { id: 1 }, issues: [] },
        {
          row_index: 1,
          line: 3,
          row: { id: "x" },
          issues: [{ pointer: "/id", message: 'must be integer; it is "x"' }],
        },
        {
          row_index: 2,
          line: 4,
          row: null,
          issues: [{ pointer: "", message: "has 2 fields, and the header names 1" }],
        },
      ],
      total: 3,
      next_offset: null,
    })
  })

  it("ends early if its rows are large", async () => {
    const row = JSON.stringify("x".repeat(1.5 * 1024 * 1024))
    const { storage } = await makeRowFolder({ "a.jsonl": `${row}\n${row}\n${row}\n1\n` })
    const page = await readRowsPage(storage, parseFilePath("a.jsonl"))
    expect([page.data.length, page.next_offset, page.total]).toEqual([2, 2, 4])
    expect((await readRowsPage(storage, parseFilePath("a.jsonl"), { offset: 2 })).data).toHaveLength(2)
  })

  it("of a wide file is read in steps, so that other work can run", async () => {
    const names = Array.from({ length: 2000 }, (_, index) => `c${index}`)
    const { storage } = await makeRowFolder({ "wide.csv": `${names.join(",")}\n`.repeat(101) })
    const path = parseFilePath("wide.csv")
    const page = await openPageRows(storage, path, { span: { start: 10, end: 95 } })
    const batches = await Array.fromAsync(page.rows, (rows) => rows.map(({ row_index }) => row_index))
    await page.close()
    expect(batches.flat()).toEqual(Array.from({ length: 85 }, (_, index) => index + 10))
    expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(20)
    expect((await readRowsPage(storage, path, { offset: 10, limit: 85 })).data).toHaveLength(85)
  })

  it("has an issue for a row that is nested too deeply to be shown", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": `${"[".repeat(100_000)}${"]".repeat(100_000)}` })
    const { data } = await readRowsPage(storage, parseFilePath("a.jsonl"))
    expect(data).toEqual([
      { row_index: 0, line: 1, row: null, issues: [{ pointer: "", message: "is nested too deeply to be shown" }] },
    ])
  })

  it("fails for a missing file and for a file that holds no rows", async () => {
    const { storage } = await makeRowFolder({ "a.txt": "" })
    await expect(readRowsPage(storage, parseFilePath("a.txt"))).rejects.toMatchObject({ code: "not_a_row_file" })
    await expect(readRowsPage(storage, parseFilePath("a.csv"))).rejects.toMatchObject({ code: "not_found" })
    await expect(readRowsPage(storage, parseFilePath("a.parquet"))).rejects.toMatchObject({ code: "not_found" })
  })
})

describe("row indexes in memory", () => {
  it("are limited to the most recently used ones", async () => {
    const store = createMemoryRowIndexStore({ limit: 2 })
    const index = { total: 1, head: null, marks: [] }
    await store.set("a", index)
    await store.set("b", index)
    await store.get("a")
    await store.set("c", index)
    expect([await store.get("a"), await store.get("b"), await store.get("c")]).toEqual([index, undefined, index])
  })
})
