import { parse } from "csv-parse/sync"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { makeRowFolder, rowsOf } from "../../testing/row-folder.ts"
import { COMMAS } from "./csv-dialect.ts"
import { splitRecord } from "./csv-record.ts"

const delimiter = fc.constantFrom(",", "\t")

describe("splitting a CSV record", () => {
  it("gives the same fields or the same refusal as another implementation", () => {
    const text = fc.array(fc.constantFrom("a", '"', '""', ",", "\t", " ", "ü", "\r"), { minLength: 1, maxLength: 12 })
    fc.assert(
      fc.property(text, delimiter, (parts, separator) => {
        const record = parts.join("")
        expect(splitRecord(record, { delimiter: separator, hasQuotes: true }).fields).toEqual(
          byOther(record, separator),
        )
      }),
      { numRuns: 2000 },
    )
  })

  it("gives back any fields", () => {
    const fields = fc.array(fc.string({ unit: "binary" }), { minLength: 1 })
    fc.assert(
      fc.property(fields, delimiter, (given, separator) => {
        const record = given.map((field) => `"${field.replaceAll('"', '""')}"`).join(separator)
        expect(splitRecord(record, { delimiter: separator, hasQuotes: true })).toEqual({ fields: given, fault: null })
      }),
    )
  })

  it("gives back long fields with quotes", () => {
    const field = fc.array(fc.constantFrom('"', '""', '"""', "ü\u{1f600}", "ab", ",", "x".repeat(20_000)), {
      minLength: 20,
      maxLength: 60,
    })
    fc.assert(
      fc.property(fc.array(field, { minLength: 1, maxLength: 3 }), (given) => {
        const fields = given.map((parts) => parts.join("") + '"'.repeat(70_000))
        const record = fields.map((one) => `"${one.replaceAll('"', '""')}"`).join(",")
        expect(splitRecord(record, COMMAS).fields).toEqual(fields)
      }),
      { numRuns: 20 },
    )
  })

  it.each([
    ['a,b"', "is not CSV: field 2 has a quote inside; quote the field, and double the quote"],
    ['"a', "is not CSV: field 1 has a quote that is never closed"],
    ['a,"b" ,c', "is not CSV: field 2 continues after its closing quote; double a quote inside an enclosed field"],
    ['a, "b, c"', "is not CSV: field 2 has a space before its quote; remove the space"],
  ])("names the invalid field: %j", (record, fault) => {
    expect(splitRecord(record, COMMAS)).toEqual({ fields: null, fault })
  })
})

function byOther(record: string, separator: string): readonly string[] | null {
  try {
    const [fields = null] = parse(record, { delimiter: separator, record_delimiter: ["\u0000"] })
    return fields
  } catch {
    return null
  }
}

const header = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(",")

it("a CSV header may have 10,000 columns, and a longer one is read only once", async () => {
  const { storage } = await makeRowFolder({
    "most.csv": `${header(10_000)}\n${",".repeat(9999)}\n`,
    "twice.csv": `${header(9_999)},c7\n`,
    // Comparing each name with each other name would take hours.
    "million.csv": `${header(2_000_000)}\n1\n`,
  })
  expect((await rowsOf(storage, "most.csv")).map(({ fault }) => fault)).toEqual([null])
  expect(await rowsOf(storage, "twice.csv")).toMatchObject([{ fault: "is a header that names the column 'c7' twice" }])
  expect(await rowsOf(storage, "million.csv")).toMatchObject([
    { fault: "is a header that names 2000000 columns; 10000 are allowed" },
  ])
})
