import { zstdCompressSync } from "node:zlib"
import { parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeParquet, type MadeParquet } from "../../testing/make-parquet.ts"
import { makeRowFolder } from "../../testing/row-folder.ts"
import { openParquet } from "./open-parquet.ts"

const PATH = parseFilePath("a.parquet")
const MAX = 2 ** 31 - 1
type Header = MadeParquet["pages"][number]["header"]

const dataPage = (
  num_values: number,
  encoding: "PLAIN" | "RLE_DICTIONARY" | "DELTA_BYTE_ARRAY",
  size: number,
): Header => ({
  type: "DATA_PAGE",
  uncompressed_page_size: size,
  data_page_header: {
    num_values,
    encoding,
    definition_level_encoding: "RLE",
    repetition_level_encoding: "RLE",
  },
})
const dictionaryPage = (num_values: number, size: number): Header => ({
  type: "DICTIONARY_PAGE",
  uncompressed_page_size: size,
  dictionary_page_header: { num_values, encoding: "PLAIN" },
})
/** Returns a run of the value 1 of bit width 1. */
function run(length: number): Buffer {
  const bytes: number[] = []
  let left = length * 2
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) | 128)
  return Buffer.from([...bytes, left, 1])
}
/** Returns definition levels with their length before them, as in pages of the first version. */
function levels(length: number): Buffer {
  const bytes = run(length)
  const size = Buffer.alloc(4)
  size.writeUInt32LE(bytes.length)
  return Buffer.concat([size, bytes])
}
function text(length: number): Buffer {
  const bytes = Buffer.alloc(4 + length, "x")
  bytes.writeUInt32LE(length)
  return bytes
}
const page = (header: Header, bytes: Uint8Array) => ({ header, bytes })
const plain = (num_values: number, bytes: Buffer) => page(dataPage(num_values, "PLAIN", bytes.length), bytes)
const zeros = Buffer.alloc(200 * 1024 * 1024)
const manyLevels = levels(40_000_000)
zeros.set(manyLevels)

const BOMBS: readonly (readonly [name: string, file: MadeParquet])[] = [
  [
    "a run of 2^31 levels",
    { rows: 10, column: { type: "INT32" }, pages: [plain(10, Buffer.concat([levels(MAX), Buffer.alloc(40)]))] },
  ],
  [
    "a page that counts 2^31 values",
    { rows: 10, column: { type: "INT32" }, pages: [plain(MAX, Buffer.concat([levels(MAX), Buffer.alloc(40)]))] },
  ],
  [
    "2^31 dictionary values of 0 bits",
    {
      rows: 10,
      column: { type: "INT32", repetition_type: "REQUIRED" },
      pages: [page(dictionaryPage(1, 4), Buffer.alloc(4)), page(dataPage(MAX, "RLE_DICTIONARY", 1), Buffer.from([0]))],
    },
  ],
  [
    "a dictionary that counts 2^31 values",
    { rows: 10, column: { type: "BYTE_ARRAY" }, pages: [page(dictionaryPage(MAX, 4), Buffer.alloc(4))] },
  ],
  [
    "a page of 200 MiB in a few kilobytes",
    {
      rows: 10,
      column: { type: "BYTE_ARRAY" },
      codec: "ZSTD",
      pages: [page(dataPage(40_000_000, "PLAIN", zeros.length), zstdCompressSync(zeros))],
    },
  ],
  ["more columns than a file has", { rows: 10, column: { type: "INT32" }, columns: 10_001, pages: [] }],
  ["10^15 rows without columns", { rows: 10 ** 15, pages: [] }],
]

describe("a malicious Parquet file", () => {
  it.each(BOMBS)(
    "ends with a fault and does no harm: %s",
    verifies("contents.parquet.bounded"),
    async (_name, made) => {
      const { storage } = await makeRowFolder({ "a.parquet": makeParquet(made) })
      const { total, windows, close } = await openParquet(storage, PATH, { patience: 500 })
      onTestFinished(close)
      expect(total).toBeGreaterThan(0)
      let last: unknown
      for await (const window of windows()) last = window
      expect(last).toMatchObject({ row: null, fault: expect.stringMatching(/^can't be read: /) })
    },
  )

  it("is read one mebibyte of rows at a time, however large its dictionary makes them", async () => {
    const value = text(3 * 1024 * 1024)
    const { storage } = await makeRowFolder({
      "a.parquet": makeParquet({
        rows: 5000,
        column: { type: "BYTE_ARRAY", converted_type: "UTF8" },
        pages: [
          page(dictionaryPage(1, value.length), value),
          page(dataPage(5000, "RLE_DICTIONARY", 0), Buffer.concat([levels(5000), Buffer.from([0])])),
        ].map(({ header, bytes }) => page({ ...header, uncompressed_page_size: bytes.length }, bytes)),
      }),
    })
    const { windows, close } = await openParquet(storage, PATH)
    onTestFinished(close)
    let rows = 0
    for await (const window of windows()) {
      if (!("text" in window)) throw new Error(window.fault)
      expect(window.text.length).toBeLessThan(4 * 1024 * 1024)
      expect(window.rowIndex).toBe(rows)
      rows += (JSON.parse(window.text) as unknown[]).length
      if (rows >= 3) break
    }
    expect(rows).toBe(3)
  })

  it("has a fault instead of a row of more than 16 MiB", async () => {
    const value = text(17 * 1024 * 1024)
    const bytes = Buffer.concat([levels(1), value])
    const { storage } = await makeRowFolder({
      "a.parquet": makeParquet({
        rows: 1,
        column: { type: "BYTE_ARRAY", converted_type: "UTF8" },
        pages: [plain(1, bytes)],
      }),
    })
    const { read, close } = await openParquet(storage, PATH)
    onTestFinished(close)
    const { value: rows } = await read(0, 1).next()
    expect(rows).toMatchObject([{ row: null, fault: expect.stringContaining("is longer than 16777216 bytes") }])
  })
})
