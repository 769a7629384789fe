import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib"
import { exactNumber } from "@assay/json"
import { parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { parquetMetadata } from "hyparquet"
import { ByteWriter, parquetWriteBuffer } from "hyparquet-writer"
import { writeMetadata } from "hyparquet-writer/src/metadata.js"
import { describe, expect, it, onTestFinished } from "vitest"
import { readRowsPage } from "../../pages/read-rows-page.ts"
import { openRows } from "../../reading/open-rows.ts"
import { makeRowFolder, rowsOf } from "../../testing/row-folder.ts"
import { testSchemas } from "../../testing/test-schemas.ts"
import { validateRows } from "../../validate/validate-rows.ts"
import { openParquet, planWindows } from "./open-parquet.ts"
import type { ParquetFile } from "./parquet-ranges.ts"
import { rowsOfWindow, type ParquetAnswer, type ParquetOrder } from "./process/parquet-messages.ts"
import { startParquetProcess } from "./process/start-parquet-process.ts"

type Written = Parameters<typeof parquetWriteBuffer>[0]

const PATH = parseFilePath("a.parquet")
const parquet = (options: Written) => Buffer.from(parquetWriteBuffer(options))
const numbers = (count: number): Written["columnData"] => [
  { name: "n", data: Array.from({ length: count }, (_, index) => index), type: "INT32" },
  { name: "t", data: Array.from({ length: count }, (_, index) => `row ${index}`), type: "STRING" },
]

async function valuesOf(bytes: Uint8Array): Promise<readonly unknown[]> {
  const { storage } = await makeRowFolder({ "a.parquet": bytes })
  return (await rowsOf(storage, "a.parquet")).map(({ row, fault }) => fault ?? row)
}

describe("rows of a Parquet file", () => {
  it("keep all digits of integers and decimals", verifies("contents.rows.numbers"), async () => {
    const decimal = (
      name: string,
      type: "INT32" | "INT64" | "FIXED_LEN_BYTE_ARRAY",
      scale: number,
      length?: number,
    ) => ({
      name,
      type,
      converted_type: "DECIMAL" as const,
      scale,
      precision: 9,
      repetition_type: "OPTIONAL" as const,
      ...(length === undefined ? {} : { type_length: length }),
    })
    const schema: NonNullable<Written["schema"]> = [
      { name: "root", num_children: 6 },
      { name: "i", type: "INT64", repetition_type: "OPTIONAL" },
      { name: "u", type: "INT64", converted_type: "UINT_64", repetition_type: "OPTIONAL" },
      decimal("d", "INT32", 2),
      decimal("e", "INT64", 3),
      decimal("f", "FIXED_LEN_BYTE_ARRAY", 4, 16),
      { name: "j", type: "BYTE_ARRAY", converted_type: "JSON", repetition_type: "OPTIONAL" },
    ]
    const columnData: Written["columnData"] = [
      { name: "i", data: [9007199254740993n, -1n] },
      { name: "u", data: [18446744073709551615n, 1n] },
      { name: "d", data: [1250n, null] },
      { name: "e", data: [-9007199254740993n, 0n] },
      { name: "f", data: [12345678901234567890n, -5n] },
      { name: "j", data: [[1], null] },
    ]
    const values = await valuesOf(parquet({ columnData, schema }))
    expect(values.map((row) => JSON.stringify(row))).toEqual([
      '{"i":9007199254740993,"u":18446744073709551615,"d":12.50,"e":-9007199254740.993,"f":1234567890123456.7890,"j":[1]}',
      '{"i":-1,"u":1,"d":null,"e":0.000,"f":-0.0005,"j":null}',
    ])
  })

  it(
    "have null and an issue with the column for numbers that JSON can't represent",
    verifies("contents.rows.numbers"),
    async () => {
      const columnData: Written["columnData"] = [
        { name: "id", data: [1, 2, 3], type: "INT32" },
        { name: "score", data: [1, NaN, -Infinity], type: "DOUBLE" },
      ]
      const { storage } = await makeRowFolder({ "a.parquet": parquet({ columnData }) })
      const issue = (value: string) => ({
        pointer: "/score",
        message: `is ${value}, which JSON can't represent; it is read as null`,
      })
      expect((await rowsOf(storage, "a.parquet")).map((row) => [row.row, "lost" in row ? row.lost : null])).toEqual([
        [{ id: 1, score: 1 }, null],
        [{ id: 2, score: null }, [issue("NaN")]],
        [{ id: 3, score: null }, [issue("-Infinity")]],
      ])
      const page = await readRowsPage(storage, PATH)
      expect(page.data.map(({ issues }) => issues)).toEqual([[], [issue("NaN")], [issue("-Infinity")]])
      const report = await validateRows({ storage, metadata: {}, schemas: testSchemas() })
      expect(report).toMatchObject({ valid: 1, invalid: 2 })
      expect(
        report.files[0]?.issues.map(({ row_index, pointer, message }) => ({ row_index, pointer, message })),
      ).toEqual([
        { row_index: 1, ...issue("NaN") },
        { row_index: 2, ...issue("-Infinity") },
      ])
    },
  )

  it("are JSON for every type of column", verifies("contents.rows.formats"), async () => {
    const columnData: Written["columnData"] = [
      { name: "int", data: [1, null], type: "INT32" },
      { name: "long", data: [2n ** 60n, -5n], type: "INT64" },
      { name: "text", data: ["ü", null], type: "STRING" },
      { name: "time", data: [new Date(0), new Date(-1)], type: "TIMESTAMP" },
      { name: "float", data: [1.5, null], type: "DOUBLE" },
      { name: "json", data: [{ a: [1] }, null], type: "JSON" },
      { name: "bytes", data: [new Uint8Array([255, 1]), null], type: "BYTE_ARRAY" },
      { name: "flag", data: [true, false], type: "BOOLEAN" },
    ]
    expect(await valuesOf(parquet({ columnData }))).toEqual([
      {
        int: 1,
        long: exactNumber("1152921504606846976"),
        text: "ü",
        time: "1970-01-01T00:00:00.000Z",
        float: 1.5,
        json: { a: [1] },
        bytes: "/wE=",
        flag: true,
      },
      {
        int: null,
        long: -5,
        text: null,
        time: "1969-12-31T23:59:59.999Z",
        float: null,
        json: null,
        bytes: null,
        flag: false,
      },
    ])
  })

  it("have an index, but no line and no byte offset", async () => {
    const { storage } = await makeRowFolder({ "a.parquet": parquet({ columnData: numbers(2) }) })
    expect(await rowsOf(storage, "a.parquet")).toEqual([
      { row_index: 0, line: null, offset: null, row: { n: 0, t: "row 0" }, fault: null },
      { row_index: 1, line: null, offset: null, row: { n: 1, t: "row 1" }, fault: null },
    ])
  })

  it("are read from pages of every compression", async () => {
    const compressors = { GZIP: gzipSync, ZSTD: zstdCompressSync, BROTLI: brotliCompressSync }
    const codecs = ["SNAPPY", "UNCOMPRESSED", "GZIP", "ZSTD", "BROTLI"] as const
    const data = Array.from({ length: 3000 }, (_, index) => `row ${index}`)
    const columnData = codecs.map((codec) => ({ name: codec, data, type: "STRING" as const, codec }))
    const bytes = parquet({ columnData, compressors })
    const columns = parquetMetadata(bytes).row_groups.flatMap((group) => group.columns)
    expect([...new Set(columns.map((column) => column.meta_data?.codec))]).toEqual(codecs)
    const values = await valuesOf(bytes)
    expect(values).toEqual(data.map((text) => Object.fromEntries(codecs.map((codec) => [codec, text]))))
  })

  it("are read from any row to any other, across row groups and pages", async () => {
    const bytes = parquet({ columnData: numbers(1000), rowGroupSize: 300, pageSize: 100 })
    const { storage } = await makeRowFolder({ "a.parquet": bytes })
    const { total, read, close } = await openParquet(storage, PATH)
    onTestFinished(close)
    expect(total).toBe(1000)
    await fc.assert(
      fc.asyncProperty(fc.nat(1100), fc.nat(1100), async (start, end) => {
        const found: unknown[] = []
        for await (const rows of read(start, end)) found.push(...rows.map(({ row_index, row }) => [row_index, row]))
        const wanted = Array.from({ length: 1000 }, (_, n) => [n, { n, t: `row ${n}` }]).slice(
          start,
          Math.max(start, end),
        )
        expect(found).toEqual(wanted)
      }),
      { numRuns: 30 },
    )
  })

  it("are read in windows of bounded size that do not cross row groups", () => {
    const groups = [
      { rows: 25_000, bytes: 1 },
      { rows: 10, bytes: 320 * 1024 * 1024 },
      { rows: 0, bytes: 0 },
      { rows: 1, bytes: 1 },
    ]
    expect([...planWindows(groups, 5, 25_004)]).toEqual([
      { start: 5, end: 10_005 },
      { start: 10_005, end: 20_005 },
      { start: 20_005, end: 25_000 },
      ...[25_000, 25_001, 25_002, 25_003].map((start) => ({ start, end: start + 1 })),
    ])
  })
})

describe("a faulty Parquet file", () => {
  it.each([
    ["is empty", Buffer.alloc(0)],
    ["is another kind of file", Buffer.from("id,name\n".repeat(100))],
    ["consists only of its magic bytes", Buffer.from("PAR1")],
    [
      "has a footer that is longer than the file",
      Buffer.concat([Buffer.from("PAR1"), Buffer.from([255, 255, 255, 127]), Buffer.from("PAR1")]),
    ],
    ["has an empty footer", Buffer.concat([Buffer.alloc(100), Buffer.from([50, 0, 0, 0]), Buffer.from("PAR1")])],
  ])("has one row that describes the fault if it %s", async (_name, bytes) => {
    expect(await valuesOf(bytes)).toEqual([expect.stringMatching(/^can't be read: /)])
  })

  it("ends with a fault after the rows that could be read", async () => {
    const bytes = parquet({ columnData: numbers(200), rowGroupSize: 100, codec: "UNCOMPRESSED" })
    const at = bytes.indexOf("row 100")
    bytes.fill(0xff, at - 60, at)
    const values = await valuesOf(bytes)
    expect(values.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, n) => ({ n, t: `row ${n}` })))
    expect(values.slice(100)).toEqual([expect.stringMatching(/^can't be read: /)])
  })

  it("never makes the reader throw, whichever byte is wrong, and never blocks it", async () => {
    const bytes = parquet({ columnData: numbers(20), rowGroupSize: 10 })
    let content: Uint8Array = bytes
    const file: ParquetFile = {
      size: bytes.length,
      async *read(start, end) {
        if (!(start >= 0 && start <= end)) throw new RangeError("an impossible range")
        yield content.subarray(start, end)
      },
    }
    // Starting a process costs more than reading a hundred small files, so a process reads files until one ends it.
    const start = () => startParquetProcess(file, { signal: undefined, patience: 500 })
    let reader = start()
    onTestFinished(() => reader.close())

    async function ask(order: ParquetOrder): Promise<ParquetAnswer> {
      const answer = await reader.ask(order)
      if (answer.kind === "fault" && /processor time|memory|has ended/.test(answer.fault)) {
        await reader.close()
        reader = start()
      }
      return answer
    }

    async function readIndexes(): Promise<readonly number[]> {
      const found: number[] = []
      const opened = await ask({ kind: "open", size: file.size })
      if (opened.kind !== "opened") return found
      const total = opened.groups.reduce((sum, { rows }) => sum + rows, 0)
      for (const window of planWindows(opened.groups, 0, total)) {
        const answer = await ask({ kind: "read", ...window })
        if (answer.kind !== "rows") break
        const rows = rowsOfWindow({ ...answer, rowIndex: window.start }, "text")
        found.push(...rows.map(({ row_index }) => row_index))
      }
      return found
    }

    expect(await readIndexes()).toHaveLength(20)
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length - 1), fc.nat(255), async (at, byte) => {
        content = bytes.with(at, byte)
        const found = await readIndexes()
        expect(found).toEqual(found.map((_, index) => index))
      }),
      { numRuns: 40 },
    )
  })

  it("is reported as faulty if decoding it would never end", async () => {
    const bytes = parquet({ columnData: numbers(20), rowGroupSize: 10 })
    const { storage } = await makeRowFolder({ "a.parquet": bytes.with(12, 128) })
    const { read, close } = await openParquet(storage, PATH, { patience: 200 })
    onTestFinished(close)
    const { value } = await read(0, 20).next()
    expect(value).toEqual([
      expect.objectContaining({ fault: "can't be read: its pages take more than 200 ms of processor time to decode" }),
    ])
  })

  it("has a fault instead of rows that its footer counts and its pages lack", async () => {
    const bytes = parquet({ columnData: numbers(20), statistics: false })
    const metadata = parquetMetadata(bytes)
    const [group] = metadata.row_groups
    const lying = {
      ...metadata,
      num_rows: 1000n,
      row_groups: group === undefined ? [] : [{ ...group, num_rows: 1000n }],
    }
    const footer = new ByteWriter()
    writeMetadata(footer, lying)
    const pages = bytes.subarray(0, bytes.length - metadata.metadata_length - 8)
    const values = await valuesOf(Buffer.concat([pages, Buffer.from(footer.getBuffer()), Buffer.from("PAR1")]))
    expect(values).toEqual([
      expect.stringContaining("its footer counts rows from 0 on that are not in the pages of the column 'n'"),
    ])
  })

  it("has unreadable rows for text that is not UTF-8", async () => {
    const bytes = parquet({ columnData: numbers(3), codec: "UNCOMPRESSED" })
    bytes[bytes.indexOf("row 1")] = 0xff
    expect(await valuesOf(bytes)).toEqual([
      { n: 0, t: "row 0" },
      "has text that is not UTF-8, in 't'",
      { n: 2, t: "row 2" },
    ])
  })

  it("ends with an error if it changes while it is read", verifies("contents.rows.formats"), async () => {
    const { storage, folder } = await makeRowFolder({
      "a.parquet": parquet({ columnData: numbers(200), rowGroupSize: 100 }),
    })
    const reading = (async () => {
      for await (const _ of openRows(storage, PATH)) {
        await writeFile(
          join(folder, "a.parquet"),
          Buffer.concat([await readFile(join(folder, "a.parquet")), Buffer.from("x")]),
        )
      }
    })()
    await expect(reading).rejects.toMatchObject({ code: "storage_changed" })
  })
})
