import { gzipSync, zstdCompressSync } from "node:zlib"
import { AssayError, type DatasetMetadata, type RowFileReport } from "@assay/schemas"
import { parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { parquetWriteBuffer } from "hyparquet-writer"
import { describe, expect, it } from "vitest"
import { pieceSizes } from "../testing/overwritten-pieces.ts"
import { makeRowFolder } from "../testing/row-folder.ts"
import { testSchemas } from "../testing/test-schemas.ts"
import { checkUploadRows, type UploadRowsOptions } from "./check-upload-rows.ts"

const schemas = testSchemas()
const schema = { type: "object", properties: { id: { type: "integer" } }, required: ["id"] }
const reject: DatasetMetadata = { schema, enforce: "reject" }
const parquet = (data: readonly (number | null)[]) =>
  Buffer.from(parquetWriteBuffer({ columnData: [{ name: "id", data: [...data], type: "INT32" }] }))

async function* inPieces(bytes: Uint8Array, sizes: readonly number[] = [7]): AsyncGenerator<Uint8Array> {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield Uint8Array.from(bytes.subarray(at, at + size))
    at += size
  }
}

/** Returns what the storage holds after a checked upload, and the error if there was one. */
async function upload(path: string, bytes: Uint8Array, options: Partial<UploadRowsOptions> = {}) {
  const { storage } = await makeRowFolder()
  const target = parseFilePath(path)
  const checked = checkUploadRows(inPieces(bytes), { path: target, schemas, metadata: reject, ...options })
  const error = await storage.write(target, checked).then(
    () => undefined,
    (error: unknown) => error as AssayError,
  )
  const stored: Uint8Array[] = []
  for await (const file of storage.list())
    for await (const piece of (await storage.read(file.path)).bytes) stored.push(piece)
  return { error, stored: stored.length === 0 ? undefined : Buffer.concat(stored) }
}

describe("an upload whose rows are checked", () => {
  const good = Buffer.from('{"id":1}\n{"id":2}\n')
  const bad = Buffer.from('{"id":1}\n{"id":"x"}\n')

  it.each([
    ["a.jsonl", good],
    ["a.json", Buffer.from('[{"id":1}]')],
    ["a.csv", Buffer.from("id\n1\n")],
    ["a.jsonl.gz", gzipSync(good)],
    ["a.jsonl.zst", zstdCompressSync(good)],
    ["empty.jsonl", Buffer.from("\n")],
    ["a.txt", bad],
  ])("is stored unchanged if all rows are valid: %s", async (path, bytes) => {
    const { error, stored } = await upload(path, bytes)
    expect(error).toBeUndefined()
    expect(stored?.equals(bytes)).toBe(true)
  })

  it.each([
    ["a.jsonl", bad, 1, "/id", 2, 9],
    ["a.jsonl", Buffer.from('{"id":1}\n{"id":1'), 1, "", 2, 9],
    ["a.jsonl", Buffer.from('{"id":1}\n{"id":2,"id":2}\n'), 1, "", 2, 9],
    ["a.json", Buffer.from('[{"id":1},\n{"id":"x"}]'), 1, "/id", 2, 11],
    ["a.csv", Buffer.from("id\n1\nx\n"), 1, "/id", 3, 5],
    ["a.jsonl.gz", gzipSync(bad), 1, "/id", 2, 9],
    ["a.jsonl.zst", zstdCompressSync(bad), 1, "/id", 2, 9],
  ])(
    "is refused and not stored if a row is invalid: %s",
    verifies("contents.upload.refused"),
    async (path, bytes, row, pointer, line, offset) => {
      const { error, stored } = await upload(path, bytes)
      expect(stored).toBeUndefined()
      expect(error).toMatchObject({ code: "invalid_request", status: 422 })
      expect(error?.issues).toEqual([
        {
          loc: ["body", row, ...(pointer === "" ? [] : ["id"])],
          msg: expect.any(String),
          type: "invalid_row",
          ctx: { line, offset, pointer },
        },
      ])
      expect(error?.message).toContain(`on line ${line}:`)
    },
  )

  it("is refused for a row that is not JSON, even if no schema applies to its path", async () => {
    const { error } = await upload("a.jsonl", Buffer.from("{"), { metadata: { enforce: "reject" } })
    expect(error?.code).toBe("invalid_request")
  })

  it("is refused without reading on after many issues", async () => {
    const row = Buffer.from(`{"id":"${"x".repeat(500)}"}\n`)
    let given = 0
    async function* hugeUpload() {
      while (given < 100) {
        given++
        yield Uint8Array.from(Buffer.concat(Array.from({ length: 1000 }, () => row)))
      }
    }
    const { storage } = await makeRowFolder()
    const path = parseFilePath("a.jsonl")
    const checked = checkUploadRows(hugeUpload(), { path, schemas, metadata: reject, maxIssues: 5 })
    await expect(storage.write(path, checked)).rejects.toMatchObject({ issues: { length: 5 } })
    expect(given).toBeLessThan(5)
  })

  it("passes on each piece, of any size", async () => {
    const bytes = Buffer.from(Array.from({ length: 50 }, (_, id) => `{"id":${id}}\n`).join(""))
    await fc.assert(
      fc.asyncProperty(pieceSizes, async (sizes) => {
        const passed: Uint8Array[] = []
        const path = parseFilePath("a.jsonl")
        for await (const piece of checkUploadRows(inPieces(bytes, sizes), { path, schemas, metadata: reject }))
          passed.push(piece)
        const given: Uint8Array[] = []
        for await (const piece of inPieces(bytes, sizes)) given.push(piece)
        expect(passed).toEqual(given)
      }),
    )
  })

  it("ends with the error of its source", async () => {
    const error = new AssayError("upload_idle", "Connection terminated due to inactivity: a.jsonl")
    async function* failing() {
      yield good
      throw error
    }
    const { storage } = await makeRowFolder()
    const path = parseFilePath("a.jsonl")
    await expect(storage.write(path, checkUploadRows(failing(), { path, schemas, metadata: reject }))).rejects.toBe(
      error,
    )
  })

  it("is stored with a report if enforce is warn, and without reading if it is off", async () => {
    const reports: RowFileReport[] = []
    const onReport = (report: RowFileReport) => reports.push(report)
    const warned = await upload("a.jsonl", bad, { metadata: { schema, enforce: "warn" }, onReport })
    expect(warned.stored?.equals(bad)).toBe(true)
    expect(reports).toMatchObject([{ path: "a.jsonl", rows: 2, invalid: 1, issues: [{ pointer: "/id" }] }])
    for (const metadata of [{ schema, enforce: "off" as const }, { schema }, undefined]) {
      expect((await upload("a.jsonl", bad, { metadata, onReport })).stored?.equals(bad)).toBe(true)
    }
    expect(reports).toHaveLength(1)
  })
})

describe("a Parquet upload whose rows are checked", () => {
  async function scratch() {
    const { storage } = await makeRowFolder()
    return { storage, path: parseFilePath("aside.parquet") }
  }
  async function isEmpty({ storage }: Awaited<ReturnType<typeof scratch>>): Promise<boolean> {
    for await (const _ of storage.list()) return false
    return true
  }

  it("is kept aside, checked, and stored if its rows are valid", async () => {
    const aside = await scratch()
    const bytes = parquet([1, 2])
    const { error, stored } = await upload("a.parquet", bytes, { scratch: aside })
    expect([error, stored?.equals(bytes), await isEmpty(aside)]).toEqual([undefined, true, true])
  })

  it("is refused and stored nowhere if a row is invalid", async () => {
    const aside = await scratch()
    const { error, stored } = await upload("a.parquet", parquet([1, null]), { scratch: aside })
    expect(error?.issues).toMatchObject([{ loc: ["body", 1, "id"], ctx: { line: null, offset: null } }])
    expect(error?.message).toContain("on row 1:")
    expect([stored, await isEmpty(aside)]).toEqual([undefined, true])
  })

  it("is refused without a location to keep it, unless enforce is warn", async () => {
    expect((await upload("a.parquet", parquet([1]))).error?.code).toBe("unsupported")
    const { stored } = await upload("a.parquet", parquet([1]), { metadata: { schema, enforce: "warn" } })
    expect(stored).toBeDefined()
  })
})
