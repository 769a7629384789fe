import { gzipSync, zstdCompressSync } from "node:zlib"
import { exactNumber } from "@assay/json"
import { parseFilePath } from "@assay/storage"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { makeRowFolder, rowsOf } from "../testing/row-folder.ts"
import { openRows } from "./open-rows.ts"

const JSON_LINES = '{"a":1}\n{"a":2}\n'
const gzip = (text: string) => gzipSync(Buffer.from(text))
const zstd = (text: string) => zstdCompressSync(Buffer.from(text))

async function valuesOf(path: string, content: string | Uint8Array): Promise<readonly unknown[]> {
  const { storage } = await makeRowFolder({ [path]: content })
  return (await rowsOf(storage, path)).map(({ row, fault }) => fault ?? row)
}

describe("the rows of a file", () => {
  it.each([
    ["a.jsonl", JSON_LINES],
    ["a.ndjson", JSON_LINES],
    ["A.JSONL", JSON_LINES],
    ["a.json", '[{"a":1},{"a":2}]'],
    ["lines.json", JSON_LINES],
    ["a.jsonl.gz", gzip(JSON_LINES)],
    ["two-members.jsonl.gz", Buffer.concat([gzip('{"a":1}\n{"a'), gzip('":2}\n')])],
    ["a.json.zst", zstd('[{"a":1},{"a":2}]')],
    ["two-frames.jsonl.zst", Buffer.concat([zstd('{"a":1}\n{"a'), zstd('":2}\n')])],
  ])("are read by the format of its name: %s", verifies("contents.rows.formats"), async (path, content) => {
    expect(await valuesOf(path, content)).toEqual([{ a: 1 }, { a: 2 }])
  })

  it.each([
    ["a.csv", "a,b\n1,x\n"],
    ["a.tsv", "a\tb\n1\tx\n"],
    ["a.csv.gz", gzip("a,b\r\n1,x\r\n")],
    ["a.tsv.zst", zstd("a\tb\n1\tx")],
  ])("are text if the file is text: %s", async (path, content) => {
    expect(await valuesOf(path, content)).toEqual([{ a: "1", b: "x" }])
  })

  it("have their positions in the uncompressed file", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl.gz": gzip('\n{"ü":1}\r\n\r\n{"b":2}') })
    expect(await rowsOf(storage, "a.jsonl.gz")).toEqual([
      { row_index: 0, line: 2, offset: 1, row: { ü: 1 }, fault: null },
      { row_index: 1, line: 4, offset: 13, row: { b: 2 }, fault: null },
    ])
  })

  it("include a faulty one for a comma without a value", async () => {
    const missing = "is not JSON: expected a value at its end"
    expect(await valuesOf("a.json", "[,2,]")).toEqual([missing, 2, missing])
  })

  it("are one row if the file is one object", async () => {
    expect(await valuesOf("a.json", ' {"a":\n [1]}\n')).toEqual([{ a: [1] }])
  })

  it.each(["a.json", "a.jsonl", "a.csv", "a.jsonl.gz", "a.json.zst"])(
    "are none if the file is empty: %s",
    async (path) => {
      expect(await valuesOf(path, "")).toEqual([])
    },
  )

  it("can't be read from a file of an unknown name", async () => {
    const { storage } = await makeRowFolder({ "a.txt": "x" })
    for (const path of ["a.txt", "jsonl", "a.parquet.gz", "a.json.bz2", "a.constructor"]) {
      await expect(rowsOf(storage, path)).rejects.toMatchObject({ code: "not_a_row_file", context: { path } })
    }
    await expect(rowsOf(storage, "b.jsonl")).rejects.toMatchObject({ code: "not_found" })
  })
})

describe("an unreadable row", () => {
  it.each([
    ["a.jsonl", '1\n{"a":}\n3', ["is not JSON: expected a value at character 6"]],
    ["a.json", '[1,{"a":[1},3]', ["is not JSON: expected ',' or ']' at character 8"]],
    [
      "a.json",
      "[1,\n{\n\"a\": 'x'\n}\n,3]",
      [
        "is not JSON: expected a value at character 8, on line 2 of the row; single quotes are Python; write the row with json.dumps, which uses double quotes",
      ],
    ],
    ["a.json", '[1,"x\n,3]', ["is not JSON: expected '\"' at its end"]],
    ["a.json", "[1,,3]", ["is not JSON: expected a value at its end"]],
    [
      "a.csv",
      'a\n1\n"x"y\n3',
      ["is not CSV: field 1 continues after its closing quote; double a quote inside an enclosed field"],
    ],
    ["a.csv", "a\n1\n2,2\n3", ["has 2 fields, and the header names 1"]],
    [
      "a.jsonl",
      Buffer.from('1\n"\xe9"\n3', "latin1"),
      [
        "is not UTF-8: byte 0xe9 at byte 1 of the row; convert the file to UTF-8, for example with 'iconv -f windows-1252 -t UTF-8'",
      ],
    ],
    [
      "a.csv",
      Buffer.from("a\n1\n\xff\n3", "latin1"),
      [expect.stringMatching(/^is not UTF-8: byte 0xff at byte 0 of the row; name the encoding .* --encoding/)],
    ],
  ])(
    "is reported, and the rows around it are read: %s %j",
    verifies("contents.rows.not-json"),
    async (path, content, faults) => {
      const values = await valuesOf(path, content)
      expect(values).toHaveLength(3)
      expect(values.slice(1, 2)).toEqual(faults)
    },
  )

  it.each([
    ["a.json", "[1,2] x", "is not allowed here: something follows the array"],
    ["a.json", "[1,2", "is missing: the array does not end with ']'"],
    ["a.jsonl.gz", gzip("1\n2\n").subarray(0, -4), /^can't be read: the gzip data is broken here/],
    [
      "a.jsonl.zst",
      Buffer.concat([zstd("1\n2\n"), zstd("3").subarray(0, -3)]),
      /^can't be read: the zstd data is broken/,
    ],
  ])("is the last one if the file itself is faulty: %s %j", async (path, content, fault) => {
    const values = await valuesOf(path, content)
    expect(values).toEqual([1, 2, expect.stringMatching(fault)])
  })

  it.each([
    ["a,b,a\n1,2,3", "is a header that names the column 'a' twice"],
    ["\ufeff\ufeffa,b\n1,2", "is a header that begins with a second byte order mark; remove it"],
    ['a,"b\n1,2', "is a header that is not CSV: field 2 has a quote that is never closed"],
  ])("is the only one of a CSV file with the header %j", async (text, fault) => {
    expect(await valuesOf("a.csv", text)).toEqual([fault])
  })
})

const POINTER = `version ${["https:/", "git-lfs.github.com/spec/v1"].join("/")}\noid sha256:${"0a".repeat(32)}\nsize 12345\n`

describe("a file that is not what its name says", () => {
  it.each(["a.jsonl", "a.json", "a.csv", "a.tsv", "a.jsonl.gz", "a.csv.zst", "a.parquet"])(
    "is named if it is a pointer of git LFS: %s",
    verifies("contents.rows.lfs-pointer"),
    async (path) => {
      expect(await valuesOf(path, POINTER)).toEqual([
        expect.stringMatching(/is a pointer of git LFS, not the file itself \(12,345 bytes\); run 'git lfs pull'/),
      ])
    },
  )

  it.each([
    ["a.jsonl", "gzip", gzip('{"a":1}\n'), "is compressed with gzip; add .gz to its name"],
    ["a.csv", "gzip", gzip("a,b\n1,2\n"), "is compressed with gzip; add .gz to its name"],
    ["a.json", "zstd", zstd('{"a":1}'), "is compressed with zstd; add .zst to its name"],
    ["a.jsonl.gz", "plain text", '{"a":1}\n', /^is not compressed with gzip, as its name says; rename it without .gz/],
    ["a.csv.zst", "plain text", "a,b\n1,2\n", /^is not compressed with zstd, as its name says; rename it without .zst/],
    [
      "a.csv",
      "ZIP",
      Buffer.from("PK\x03\x04\x14\x00\x06\x00|\x9d", "latin1"),
      /^is a ZIP archive, as workbooks of Excel .* save a sheet as CSV/,
    ],
    ["a.jsonl", "Parquet", Buffer.from("PAR1\x15\x04\x15\xf8", "latin1"), "is Parquet; rename it to .parquet"],
    [
      "a.csv",
      "HTML",
      "<!DOCTYPE html>\n<html><body>Sign in, please</body></html>",
      /^is a page of HTML, such as that of a sign-in/,
    ],
    ["a.json", "HTML", '\ufeff\n<html lang="en">', /^is a page of HTML/],
    ["a.jsonl", "XML", '<?xml version="1.0"?>\n<Error><Code>AccessDenied</Code></Error>', /^is XML, such as an error/],
    ["a.csv", "JSON lines", '{"a":1}\n{"a":2}\n', "is JSON; rename it to .jsonl"],
    ["a.tsv", "JSON", '[\n {"a": 1}\n]\n', "is JSON; rename it to .json"],
  ])(
    "is named if it is a file of another kind: %s %s",
    verifies("contents.rows.other-kind"),
    async (path, _kind, content, fault) => {
      const { storage } = await makeRowFolder({ [path]: content })
      const rows = await rowsOf(storage, path)
      expect(rows).toEqual([
        expect.objectContaining({
          isOfFile: true,
          fault: typeof fault === "string" ? fault : expect.stringMatching(fault),
        }),
      ])
    },
  )

  it.each([
    ["a.csv", "PAR1,PK,BZh9\n1,2,3\n", [{ PAR1: "1", PK: "2", BZh9: "3" }]],
    ["a.csv", "<b>,{a}\n1,2\n", [{ "<b>": "1", "{a}": "2" }]],
    ["a.jsonl.gz", "", []],
  ])("is read if it only begins like another kind: %s %s", async (path, content, rows) => {
    expect(await valuesOf(path, content)).toEqual(rows)
  })

  it.each([
    ['[{"a":1},{"a":2}]\n', /^is an array that holds all rows; .*rename it to \.json/],
    ['[\n{"a":1},\n{"a":2}\n]\n', /^begins a value over several lines; .*rename it to \.json/],
    ['[{"a":1},\n{"a":2}]\n', /^begins a value over several lines/],
    ['{\n"a":1\n}\n', /^begins a value over several lines/],
  ])(
    "is one issue if JSON lines are another form of JSON: %j",
    verifies("contents.rows.json-lines-form"),
    async (text, fault) => {
      expect(await valuesOf("a.jsonl", text)).toEqual([expect.stringMatching(fault)])
    },
  )

  it("may have rows that are arrays", async () => {
    expect(await valuesOf("a.jsonl", '[{"a":1}]\n[{"a":2}]\n')).toEqual([[{ a: 1 }], [{ a: 2 }]])
  })
})

describe("reading rows", () => {
  it("ends with the reason of its signal", async () => {
    const { storage } = await makeRowFolder({ "a.jsonl": "1\n".repeat(500_000) }, 1000)
    const controller = new AbortController()
    const reason = new Error("enough")
    const reading = (async () => {
      for await (const _ of openRows(storage, parseFilePath("a.jsonl"), { signal: controller.signal })) {
        controller.abort(reason)
      }
    })()
    await expect(reading).rejects.toBe(reason)
  })

  it("converts CSV fields by the schema of the path", async () => {
    const { storage } = await makeRowFolder({ "a.csv": 'n,b,t,j,e,m\n1.50,TRUE,007,"[1]",,\n' })
    const properties = {
      n: { type: "number" },
      b: { type: "boolean" },
      t: { type: "string" },
      j: { type: "array" },
      e: { type: ["integer", "null"] },
      m: { type: "integer" },
    }
    const rows = await rowsOf(storage, "a.csv", { metadata: { schema: { properties } } })
    expect(rows.map(({ row }) => row)).toStrictEqual([{ n: exactNumber("1.50"), b: true, t: "007", j: [1], e: null }])
  })
})
