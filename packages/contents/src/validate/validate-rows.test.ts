import { gzipSync } from "node:zlib"
import { AssayError } from "@assay/schemas"
import type { Storage } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { parquetWriteBuffer } from "hyparquet-writer"
import { describe, expect, it } from "vitest"
import { makeRowFolder } from "../testing/row-folder.ts"
import { testSchemas } from "../testing/test-schemas.ts"
import { validateRows, type ValidateProgress } from "./validate-rows.ts"

const schemas = testSchemas()
const schema = { type: "object", required: ["id"], properties: { id: { type: "integer" } } }

describe("validation of a fileset", () => {
  it("notes each file that is empty or has no rows", async () => {
    const files = {
      "a.jsonl": "",
      "b.jsonl": "\n\n",
      "c.json": "[]",
      "d.csv": "a,b\n",
      "e.jsonl.gz": gzipSync(""),
      "f.jsonl": "{}",
    }
    const { storage } = await makeRowFolder(files)
    const report = await validateRows({ schemas, storage })
    const empty = "the file is empty: it has 0 bytes"
    const none = "the file has no rows"
    expect(report.files.map(({ notes }) => notes)).toEqual([[empty], [none], [none], [none], [empty], undefined])
  })

  it(
    "reports per file and in all, with the exact location of each issue",
    verifies("contents.validate.report", "contents.rows.places"),
    async () => {
      const { storage } = await makeRowFolder({
        "a.jsonl": '{"id":1}\n\n{"id":"x"}\n{id}\n{"ü":[]}\n',
        "b/c.json": '[\n  {"id": 1},\n  {"id": 2.5}\n]',
        "readme.md": "not rows",
      })
      expect(await validateRows({ schemas, storage, metadata: { schema } })).toEqual({
        files: [
          {
            path: "a.jsonl",
            schema: "/schema",
            rows: 4,
            valid: 1,
            invalid: 3,
            issues: [
              { row_index: 1, line: 3, offset: 10, pointer: "/id", message: 'must be integer; it is "x"' },
              {
                row_index: 2,
                line: 4,
                offset: 21,
                pointer: "",
                message: "is not JSON: expected a key in double quotes at character 2",
              },
              { row_index: 3, line: 5, offset: 26, pointer: "", message: "must have required property 'id'" },
            ],
            issues_truncated: false,
          },
          {
            path: "b/c.json",
            schema: "/schema",
            rows: 2,
            valid: 1,
            invalid: 1,
            issues: [{ row_index: 1, line: 3, offset: 17, pointer: "/id", message: "must be integer; it is 2.5" }],
            issues_truncated: false,
          },
        ],
        rows: 6,
        valid: 2,
        invalid: 4,
        without_schema: [],
      })
    },
  )

  it("checks the rows of each format against the schema of their path", async () => {
    const parquet = parquetWriteBuffer({ columnData: [{ name: "id", data: [1, null, 3], type: "INT32" }] })
    const { storage } = await makeRowFolder({
      "a.csv": "id,t\n1,x\nx,y\n",
      "a.jsonl.gz": gzipSync('{"id":1}\n{"id":null}\n'),
      "a.parquet": new Uint8Array(parquet),
    })
    const { files } = await validateRows({
      schemas,
      storage,
      metadata: { schema: "row", schema_defs: { row: schema } },
    })
    expect(
      files.map(({ path, rows, issues }) => [
        path,
        rows,
        issues.map(({ row_index, line, message }) => [row_index, line, message]),
      ]),
    ).toEqual([
      ["a.csv", 2, [[1, 3, 'must be integer; it is "x"']]],
      ["a.jsonl.gz", 2, [[1, 2, "must be integer; it is null"]]],
      ["a.parquet", 3, [[1, null, "must be integer; it is null"]]],
    ])
    expect(files.map((file) => file.schema)).toEqual(["row", "row", "row"])
  })

  it(
    "counts rows without a schema, and finds those that are not JSON",
    verifies("contents.validate.without-schema"),
    async () => {
      const { storage } = await makeRowFolder({ "a.jsonl": '{"id":"x"}\n{]\n', "b.jsonl": '{"id":"x"}' })
      const report = await validateRows({ schemas, storage, metadata: { schemas_by_path: { "b.*": schema } } })
      expect(report.without_schema).toEqual(["a.jsonl"])
      expect(report.files).toMatchObject([
        { schema: null, rows: 2, valid: 1, invalid: 1 },
        { schema: "/schemas_by_path/b.*", rows: 1, valid: 0, invalid: 1 },
      ])
    },
  )

  it("lists a limited number of issues per file, and says if there are more", async () => {
    const files = {
      "a.jsonl": '{"id":"x"}\n'.repeat(3),
      "b.jsonl": '{"id":"x"}\n'.repeat(2),
      "c.jsonl": "{x\n".repeat(3),
    }
    const { storage } = await makeRowFolder(files)
    const report = await validateRows({ schemas, storage, metadata: { schema }, maxIssues: 2 })
    expect(
      report.files.map(({ issues, invalid, issues_truncated }) => [issues.length, invalid, issues_truncated]),
    ).toEqual([
      [2, 3, true],
      [2, 2, false],
      [2, 3, true],
    ])
    const none = await validateRows({ schemas, storage, metadata: { schema }, maxIssues: 0 })
    expect(none.files.map(({ issues, issues_truncated }) => [issues, issues_truncated])).toEqual([
      [[], true],
      [[], true],
      [[], true],
    ])
  })

  it("covers one file or folder if a path is given", async () => {
    const { storage } = await makeRowFolder({ "a/b.jsonl": "1", "a/c.csv": "x\n1", "ab.jsonl": "1", "a/n.txt": "" })
    const paths = async (path: string) =>
      (await validateRows({ schemas, storage, path })).files.map((file) => file.path)
    expect(await paths("a")).toEqual(["a/b.jsonl", "a/c.csv"])
    expect(await paths("a/b.jsonl")).toEqual(["a/b.jsonl"])
    await expect(paths("a/n.txt")).rejects.toMatchObject({ code: "not_a_row_file" })
    await expect(paths("x")).rejects.toMatchObject({ code: "not_found" })
  })

  it("refuses an invalid schema", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": "1" })
    const metadata = { schema: { type: "nothing" } }
    await expect(validateRows({ schemas, storage, metadata })).rejects.toMatchObject({
      code: "invalid_request",
      issues: [
        expect.objectContaining({ loc: ["schema"], msg: expect.stringContaining("is not JSON Schema 2020-12") }),
      ],
    })
  })

  it("reports its progress", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": "1\n2\n", "b.jsonl": "3\n" })
    const seen: ValidateProgress[] = []
    await validateRows({ schemas, storage, onProgress: (progress) => seen.push(progress) })
    expect(seen.at(-1)).toEqual({ files: 2, filesDone: 2, bytes: 6, bytesDone: 6, rows: 3 })
    expect(seen.map(({ rows }) => rows)).toEqual(seen.map(({ rows }) => rows).toSorted((a, b) => a - b))
  })

  it("counts issues over all blocks of a file", async () => {
    const row = `{"id":"x","text":"${"x".repeat(200_000)}"}\n`
    const { storage } = await makeRowFolder({ "a.jsonl": row.repeat(4) })
    const [file] = (await validateRows({ schemas, storage, metadata: { schema }, maxIssues: 3 })).files
    expect([file?.issues.map(({ row_index }) => row_index), file?.issues_truncated]).toEqual([[0, 1, 2], true])
  })

  it("stops reading once a file can't be read", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": "1", "b.jsonl": "1\n".repeat(2_000_000) }, 1000)
    const error = new AssayError("upstream_failed", "The backend is gone.")
    const signals: (AbortSignal | undefined)[] = []
    const read: Storage["read"] = (path, options) => {
      if (path === "a.jsonl") throw error
      signals.push(options?.signal)
      return storage.read(path, options)
    }
    await expect(validateRows({ schemas, storage: { ...storage, read } })).rejects.toBe(error)
    expect(signals.map((signal) => signal?.aborted)).toEqual([true])
  })

  it("ends with the reason of its signal", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": "1\n".repeat(2_000_000) }, 1000)
    const reason = new Error("enough")
    const controller = new AbortController()
    const onProgress = () => controller.abort(reason)
    await expect(validateRows({ schemas, storage, signal: controller.signal, onProgress })).rejects.toBe(reason)
  })
})

describe("validation on threads", () => {
  const rows = Array.from({ length: 60 }, (_, id) => JSON.stringify({ id, text: "x".repeat(300_000) }))
  const spoilt = rows.with(37, JSON.stringify({ id: "37", text: "x".repeat(300_000) })).with(51, "{")

  it("reports the same as on one thread", verifies("contents.validate.threads"), async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": `${spoilt.join("\n")}\n`, "b.csv": "id\n1\nx\n" })
    const report = await validateRows({ schemas, storage, metadata: { schema }, parallel: 2, threadsFrom: 0 })
    expect(report).toEqual(await validateRows({ schemas, storage, metadata: { schema }, parallel: 1 }))
    expect(report.files.map(({ issues }) => issues.map(({ row_index }) => row_index))).toEqual([[37, 51], [1]])
  })

  it("ends with the reason of its signal, even while the threads are busy", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": rows.join("\n") })
    const reason = new Error("enough")
    const controller = new AbortController()
    const onProgress = () => controller.abort(reason)
    const validation = validateRows({
      schemas,
      storage,
      metadata: { schema },
      parallel: 2,
      threadsFrom: 0,
      signal: controller.signal,
      onProgress,
    })
    await expect(validation).rejects.toBe(reason)
  })
})
