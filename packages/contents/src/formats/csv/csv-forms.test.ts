import { gzipSync } from "node:zlib"
import { verifies } from "@assay/testkit"
import { parseFilePath } from "@assay/storage"
import { describe, expect, it } from "vitest"
import { inferSchema } from "../../infer/infer-schema.ts"
import { createMemoryRowIndexStore } from "../../pages/row-index.ts"
import { readRowsPage } from "../../pages/read-rows-page.ts"
import { profileRows } from "../../profile/profile-rows.ts"
import { countRows } from "../../reading/count-rows.ts"
import { makeRowFolder, rowsOf, type FileContent } from "../../testing/row-folder.ts"
import { testSchemas } from "../../testing/test-schemas.ts"
import { validateRows } from "../../validate/validate-rows.ts"

const schemas = testSchemas()
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")
const utf16be = (text: string) => Buffer.from(`\ufeff${text}`, "utf16le").swap16()
const latin1 = (text: string) => Buffer.from(text, "latin1")

/** Reads a file through every function that reads rows. All of them find the same rows. */
async function readEverywhere(path: string, content: FileContent) {
  const { storage } = await makeRowFolder({ [path]: content })
  const file = parseFilePath(path)
  const rows = await rowsOf(storage, path)
  const report = await validateRows({ storage, schemas })
  const page = await readRowsPage(storage, file)
  const { files } = await profileRows({ storage })
  const readable = rows.filter(({ fault }) => fault === null).length
  expect(await countRows(storage, file)).toBe(rows.length)
  expect(report).toMatchObject({ rows: rows.length, valid: readable })
  expect(page.data.map(({ row }) => row)).toEqual(rows.map(({ row }) => row))
  expect(files).toMatchObject([{ rows: rows.length, unreadable: rows.length - readable }])
  expect(page.notes).toEqual(report.files[0]?.notes)
  return { values: rows.map(({ row, fault }) => fault ?? row), notes: page.notes ?? [] }
}

describe("CSV as programs write it", () => {
  const AB = [
    { id: "1", name: "a" },
    { id: "2", name: "b" },
  ]
  it.each([
    ["a caret", "a^b^c\n1^2^3\n4^^6\n", "'^' divides the header and all first records into 3 parts"],
    ["a colon, which splits most", "a:b:c=d\n1:2:3=4\n", "':' divides the header and all first records into 3 parts"],
    [
      "the separator of Hive",
      "id\u0001name\n1\u0001a\n",
      "U+0001 divides the header and all first records into 2 parts",
    ],
    [
      "the separator of Hive around commas",
      "id\u0001name\n1\u0001a, b\n",
      "U+0001 divides the header and all first records into 2 parts",
    ],
    ["the unit separator", "id\u001fname\n1\u001fa\n", "U+001F divides the header and all first records into 2 parts"],
  ])("is noted if one column may be several: %s", verifies("contents.rows.csv-form"), async (_form, text, note) => {
    const { notes } = await readEverywhere("a.csv", text)
    expect(notes).toEqual([`the text has one column, but ${note}; name it as the delimiter if it separates fields`])
  })

  it("is noted if its lines are enclosed in quotes as a whole", verifies("contents.rows.csv-form"), async () => {
    const { notes } = await readEverywhere("a.csv", '"id,""name"""\n"1,""a"""\n"2,""b, c"""\n')
    expect(notes).toEqual([
      "the text has one column, because each line is enclosed in quotes as a whole; without them there are 2 columns, so write it again without quotes around its lines",
    ])
  })

  it.each([
    "prompt\na: b\nc: d\n",
    "a:b\n1:2\n3\n",
    "what & why\nyes\n",
    '"a:b"\n"c"\n',
    '"Question, in English"\n"Why, oh why?"\n"Who?"\n',
  ])(
    "is one column without a note if nothing divides it evenly: %j",
    verifies("contents.rows.csv-form"),
    async (text) => {
      expect((await readEverywhere("a.csv", text)).notes).toEqual([])
    },
  )

  it.each<[string, string, FileContent]>([
    ["CR LF", "a.csv", "id,name\r\n1,a\r\n2,b\r\n"],
    ["CR CR LF, as Python writes it on Windows", "a.csv", "id,name\r\r\n1,a\r\r\n2,b\r\r\n"],
    ["CR, as Excel writes it for the Macintosh", "a.csv", "id,name\r1,a\r2,b\r"],
    ["several line ends", "a.csv", "id,name\r1,a\r\r\n2,b\n"],
    ["CR in TSV", "a.tsv", "id\tname\r1\ta\r2\tb"],
    ["CR CR LF in gzip", "a.csv.gz", gzipSync("id,name\r\r\n1,a\r\r\n2,b\r\r\n")],
    ["semicolons", "a.csv", "id;name\n1;a\n2;b\n"],
    ["tabs in .csv", "a.csv", "id\tname\n1\ta\n2\tb\n"],
    ["commas in .tsv", "a.tsv", "id,name\n1,a\n2,b\n"],
    ["bars", "a.csv", "id|name\n1|a\n2|b\n"],
    ["the line sep=", "a.csv", "sep=;\r\nid;name\r\n1;a\r\n2;b\r\n"],
    ["the line sep= with a byte order mark", "a.csv", '\ufeff"sep=\t"\nid\tname\n1\ta\n2\tb'],
    ["quoted names and semicolons", "a.csv", '"id";"name"\n"1";"a"\n"2";"b"\n'],
    ["a byte order mark", "a.csv", "\ufeffid,name\n1,a\n2,b\n"],
    ["UTF-16 of little endian", "a.csv", utf16("id,name\r\n1,a\r\n2,b\r\n")],
    ["UTF-16 of big endian with tabs", "a.csv", utf16be("id\tname\r\n1\ta\r\n2\tb\r\n")],
    ["UTF-16 without a byte order mark", "a.csv", utf16("id,name\n1,a\n2,b\n").subarray(2)],
    ["UTF-16 with the line sep=", "a.csv", utf16("sep=;\r\nid;name\r\n1;a\r\n2;b\r\n")],
  ])("has the same rows with %s", verifies("contents.rows.csv-form"), async (_form, path, content) => {
    expect((await readEverywhere(path, content)).values).toEqual(AB)
  })

  it("keeps the line ends of quoted fields", async () => {
    const { values } = await readEverywhere("a.csv", 'id,text\r1,"x\r\r\ny"\r')
    expect(values).toEqual([{ id: "1", text: "x\r\r\ny" }])
  })

  it("counts a blank line of one column for each CR, but not for CR CR LF", async () => {
    expect((await readEverywhere("a.csv", "a\rx\r\ry\r")).values).toEqual([{ a: "x" }, { a: "" }, { a: "y" }])
    expect((await readEverywhere("a.csv", "a\r\r\nx\r\r\ny\r\r\n")).values).toEqual([{ a: "x" }, { a: "y" }])
  })

  it("is never one column if its header has another delimiter", async () => {
    const { values, notes } = await readEverywhere("b.csv", "id;question\n1;What; how?\n2;Why?\n")
    expect(values).toEqual(["has 3 fields, and the header names 2", { id: "2", question: "Why?" }])
    expect(notes).toEqual(["fields are separated by ';', because the header has 2 fields with it, and no ','"])
  })

  it.each([
    ["text\nHello; you\n", [{ text: "Hello; you" }]],
    ["a,b;c\n1,x;y\n", [{ a: "1", "b;c": "x;y" }]],
    [
      "id;price, net\n1;3,50\n2;4,00\n",
      [
        { id: "1", "price, net": "3,50" },
        { id: "2", "price, net": "4,00" },
      ],
    ],
    ['text\n"a\tb"\n', [{ text: "a\tb" }]],
  ])("keeps the delimiter that fits the header and the rows: %j", async (text, rows) => {
    expect((await readEverywhere("a.csv", text)).values).toEqual(rows)
  })
})

describe("quotes in TSV", () => {
  it.each<[string, string, readonly unknown[]]>([
    [
      "are letters if they are balanced by accident",
      'sentence\tlabel\n"Alpha he said\t0\nBeta\t1\nGamma said no"\t0\nDelta\t1\n',
      ['"Alpha he said', "Beta", 'Gamma said no"', "Delta"],
    ],
    ["are letters at the beginning", 'sentence\tlabel\n"Alpha\t0\nBeta\t1\n', ['"Alpha', "Beta"]],
    ["are letters in the middle", 'sentence\tlabel\nAl"pha\t0\nBe"ta"\t1\n', ['Al"pha', 'Be"ta"']],
    ["are letters around a whole field", 'sentence\tlabel\n"Alpha"\t0\n', ['"Alpha"']],
    ["enclose a field with a tab", 'sentence\tlabel\n"Al\tpha"\t0\nBeta\t1\n', ["Al\tpha", "Beta"]],
    ["enclose a field with a line end", 'sentence\tlabel\n"Al\npha"\t0\nBeta\t1\n', ["Al\npha", "Beta"]],
    ["enclose a field with doubled quotes", 'sentence\tlabel\n"say ""hi"""\t0\n', ['say "hi"']],
  ])("%s", verifies("contents.rows.csv-form"), async (_what, text, sentences) => {
    const { values } = await readEverywhere("a.tsv", text)
    expect(values.map((row) => (row as { readonly sentence: string }).sentence)).toEqual(sentences)
  })
})

describe("text that is not UTF-8", () => {
  it("is windows-1252 in CSV if it looks so, and the reason is a note", async () => {
    const { values, notes } = await readEverywhere("a.csv", latin1("id,name\n1,Caf\xe9 \x80\n2,Stra\xdfe\n"))
    expect(values).toEqual([
      { id: "1", name: "Café €" },
      { id: "2", name: "Straße" },
    ])
    expect(notes).toEqual([
      "the text is windows-1252, because its bytes are not UTF-8 and look like Western European text",
    ])
  })

  it.each<[string, FileContent]>([
    ["Cyrillic", latin1("id,name\n1,\xcf\xf0\xe8\xe2\xe5\xf2\n")],
    ["Japanese", Buffer.from("69642c6e616d650a312c93fa967b8cea0a", "hex")],
    ["UTF-8 with a broken character", Buffer.concat([Buffer.from("id,name\n1,größe\n2,"), latin1("gr\xf6\xdfe\n")])],
  ])("is an issue with its byte and the remedy if it may be another encoding: %s", async (_what, content) => {
    const { values } = await readEverywhere("a.csv", content)
    expect(values.at(-1)).toMatch(/^is not UTF-8: byte 0x[0-9a-f]{2} at byte \d+ of the row; name the encoding/)
    const { storage } = await makeRowFolder({ "a.csv": content })
    await expect(inferSchema(storage)).rejects.toThrow(/File 'a\.csv' can't be read: line \d is not UTF-8: byte 0x/)
  })

  it.each([
    ["windows-1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"],
    ["Shift_JIS", "\x93\xfa\x96\x7b\x8c\xea", "日本語"],
    ["cp932", "\x83|\x81[", "ポー"],
    ["macintosh", "caf\x8e", "café"],
    ["utf-16le", "a\0b\0", "ab"],
  ])("is read as the settings say: %s", async (encoding, bytes, text) => {
    const header = encoding === "utf-16le" ? "n\0\n\0" : "n\n"
    const { storage } = await makeRowFolder({ "a.csv": latin1(header + bytes) })
    expect((await rowsOf(storage, "a.csv", { metadata: { csv: { encoding } } })).map(({ row }) => row)).toEqual([
      { n: text },
    ])
  })

  it("is UTF-16 with a byte order mark in JSON too, and UTF-32 is named", async () => {
    expect((await readEverywhere("a.jsonl", utf16('{"a":"ü"}\r\n{"a":2}\r\n'))).values).toEqual([{ a: "ü" }, { a: 2 }])
    expect((await readEverywhere("a.json", utf16be('[{"a":"\u{1f600}"}]'))).values).toEqual([{ a: "\u{1f600}" }])
    const wide = Buffer.from("fffe00006100000062000000", "hex")
    expect((await readEverywhere("a.csv", wide)).values).toEqual([expect.stringMatching(/^is UTF-32, .*iconv/)])
  })

  it("keeps the bytes of UTF-16 that are not text as an issue of their row", async () => {
    const { values } = await readEverywhere(
      "a.csv",
      Buffer.concat([utf16("n\na\n"), Buffer.from("00d8", "hex"), utf16("\nb\n").subarray(2)]),
    )
    expect(values).toEqual([
      { n: "a" },
      expect.stringMatching(/^is not utf-16le: half of a surrogate pair/),
      { n: "b" },
    ])
  })
})

describe("the positions of rows", () => {
  it.each<[string, (text: string) => Buffer]>([
    ["UTF-16", utf16],
    ["UTF-16 of big endian", utf16be],
    ["windows-1252", latin1],
  ])("count the bytes of the file in %s, and a page is read from them", async (_name, encode) => {
    const lines = Array.from(
      { length: 3000 },
      (_, at) => `${at};Gr\xf6\xdfe ${"x".repeat(at % 7)}${encode === latin1 ? "" : "\u{1f600}"}`,
    )
    const content = encode(`sep=;\r\nid;name\r\n${lines.join("\r\n")}\r\n`)
    const { storage } = await makeRowFolder({ "a.csv": content }, 1000)
    const row = (await rowsOf(storage, "a.csv"))[2900]
    const line = encode(lines[2900] ?? "").subarray(encode === latin1 ? 0 : 2)
    const offset = row?.offset ?? 0
    expect(content.subarray(offset, offset + line.length).equals(line)).toBe(true)
    expect(row).toMatchObject({ line: 2903, row: { id: "2900" } })
    const path = parseFilePath("a.csv")
    const options = { offset: 2900, limit: 2, indexes: createMemoryRowIndexStore() }
    for (const _ of ["builds the index", "uses it"]) {
      const { data, total, notes } = await readRowsPage(storage, path, options)
      expect(data.map((one) => [one.line, one.row])).toEqual([
        [2903, row?.row],
        [2904, { id: "2901", name: lines[2901]?.slice(5) }],
      ])
      expect([total, notes?.at(-1)]).toEqual([3000, "fields are separated by ';', as the line 'sep=' says"])
    }
  })
})

describe("decimal commas", () => {
  const CSV = "id;price\n1;3,50\n2;-0,25\n"
  it("are numbers if the fields are separated by semicolons", async () => {
    const { storage } = await makeRowFolder({ "a.csv": CSV })
    const schema = await inferSchema(storage)
    expect(schema).toMatchObject({ properties: { price: { type: "number" } } })
    const metadata = { schema }
    expect(await validateRows({ storage, schemas, metadata })).toMatchObject({
      invalid: 0,
      files: [{ notes: [{}, "numbers have a decimal comma, as in '3,50'"] }],
    })
    expect(JSON.stringify((await rowsOf(storage, "a.csv", { metadata })).map(({ row }) => row))).toBe(
      '[{"id":1,"price":3.50},{"id":2,"price":-0.25}]',
    )
  })

  it.each([
    ["id;n\n1;1,234\n2;5,678\n", "may be thousands"],
    ["id;n\n1;1,5\n2;2.5\n", "are beside points"],
  ])("are not guessed if they %2$s: %j", async (text) => {
    const { storage } = await makeRowFolder({ "a.csv": text })
    expect(await inferSchema(storage)).toMatchObject({ properties: { n: { type: "string" } } })
    const csv = { decimal: "," } as const
    expect(await inferSchema(storage, undefined, { metadata: { csv } })).toMatchObject({
      properties: { n: { type: text.includes(".") ? "string" : "number" } },
    })
  })
})

describe("an inferred schema", () => {
  it("says where most values of a column have a narrower type", verifies("contents.infer.near-types"), async () => {
    const numbers = Array.from({ length: 29 }, (_, at) => `${at}`)
    const { storage } = await makeRowFolder({
      "a.csv": `n\n${numbers.join("\n")}\nunknown\n`,
      "b.jsonl": `${numbers.map((n) => `{"n":${n}}`).join("\n")}\n{"n":"unknown"}\n`,
    })
    expect(await inferSchema(storage, "a.csv")).toMatchObject({
      properties: { n: { type: "string", $comment: '29 of 30 values are integers; "unknown" on line 31 is not' } },
    })
    expect(await inferSchema(storage, "b.jsonl")).toMatchObject({
      properties: {
        n: {
          type: ["integer", "string"],
          $comment: '29 of 30 values are integers; there are also 1 strings, such as "unknown"',
        },
      },
    })
  })

  it("is refused for a file that has no rows", async () => {
    const { storage } = await makeRowFolder({ "a.csv": "", "b.csv": "n\n" })
    await expect(inferSchema(storage, "a.csv")).rejects.toThrow("File 'a.csv' is empty (0 bytes)")
    await expect(inferSchema(storage, "b.csv")).rejects.toThrow("File 'b.csv' has no rows")
  })
})
