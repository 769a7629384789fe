import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { exactNumber, isExactNumber, nearestNumbers, numberText } from "./exact-number.ts"
import { createNumberFinder } from "./find-changing-number.ts"
import { parseExactJson, parseJsonExactly, parseJsonRecord } from "./parse-exact-json.ts"

const written = (text: string, kept: "text" | "value" = "text") => JSON.stringify(parseExactJson(text, kept).value)
/** One for all tests, because each finder compiles WebAssembly. */
const FINDER = createNumberFinder()
const BEHIND_KERNEL = " ".repeat(20_000)
/** Returns what the finder reports for a short text, and for a long one that is searched with WebAssembly. */
function mayChange(text: string, kept: "text" | "value" = "text"): boolean {
  const [short, long] = [text, `${text}${BEHIND_KERNEL}`].map((one) => {
    const bytes = Buffer.from(one)
    return FINDER.open(bytes, kept)(0, bytes.length)
  })
  expect(long).toEqual(short)
  return (short?.length ?? 0) > 0
}
const number = fc.oneof(
  fc.stringMatching(/^-?(0|[1-9][0-9]{0,24})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?$/),
  fc.integer().map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((one) => JSON.stringify(one)),
)

describe("JSON with exact numbers", () => {
  it.each([
    "1234567890123456789",
    "-1234567890123456789",
    "1.0",
    "1.50",
    "-0",
    "1e5",
    "1E+5",
    "0.0000001",
    "123456789.123456789",
    "0.1000000000000000055511151231257827",
    '{"a":[1.0,{"b":12345678901234567890}],"__proto__":1.0,"c":"1.0 \\" 2.0"}',
    '{"\u009f":1.0}',
    '["\u009f","\u0097","\u0084",1.0,1]',
    '["\\u009f",1.0,1]',
    '[0.000,-1.50,{"a":2.0,"b":[[3.10, 4.20]],"a\\":":5.0},": 6.0, ",7.0]',
    '{"text":"costs 5.0 euros, 6.0 or: 7.0, and [8.0]","score":1.0,"say":"\\"score\\": 1.0, "}',
  ])("is written as it was read: %s", (text) => {
    expect(mayChange(text)).toBe(true)
    expect(written(text)).toBe(text.replace("\\u009f", "\u009f").replace("3.10, 4.20", "3.10,4.20"))
  })

  it("keeps every number, and predicts which texts have one that would change", () => {
    fc.assert(
      fc.property(fc.array(number), (numbers) => {
        const text = `{"a":[${numbers.join(", ")}]}`
        expect(written(text)).toBe(`{"a":[${numbers.join(",")}]}`)
        if (!mayChange(text)) expect(JSON.stringify(JSON.parse(text))).toBe(`{"a":[${numbers.join(",")}]}`)
      }),
      { numRuns: 2000 },
    )
  })

  it("has no changing number that the finder misses, with any content of strings", () => {
    const string = fc
      .array(fc.constantFrom('"', "\\", "1", "0", ".", "e5", "-", ",", " ", "[", ":", "\n", "ü", "12345678"), {
        maxLength: 9,
      })
      .map((parts) => JSON.stringify(parts.join("")))
    const row = fc.array(fc.oneof(string, number, string), { maxLength: 6 }).map((parts) => `[${parts.join(",")}]`)
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 4 }),
        fc.constantFrom("text", "value"),
        fc.boolean(),
        (rows, kept, isLong) => {
          const bytes = Buffer.from(`${rows.join("\n")}\n${isLong ? BEHIND_KERNEL : ""}`)
          const suspectsIn = FINDER.open(bytes, kept)
          let start = 0
          for (const one of rows) {
            const end = start + Buffer.byteLength(one)
            const suspects = suspectsIn(start, end)
            const { hasExact, lost } = parseExactJson(one, kept)
            if (hasExact || lost !== null) expect(suspects.length, one).toBeGreaterThan(0)
            if (one.length === end - start) {
              expect(JSON.stringify(parseExactJson(one, kept, suspects))).toBe(
                JSON.stringify(parseExactJson(one, kept)),
              )
            }
            start = end + 1
          }
        },
      ),
      { numRuns: 2000 },
    )
    // A row that is not JSON does not hide numbers of the next row.
    expect(FINDER.open(Buffer.from("a1\n[12345678901234567890]"), "text")(0, 25)).toEqual([4])
  })

  it("has no number that is missed at the border of two search windows", () => {
    for (const number of ["1234567890123456789", "-0.0000001", "1.0", "-0", "1e5", "0.10000000000000001"]) {
      for (let before = 0; before < 34; before++) {
        const bytes = Buffer.from(`${" ".repeat(65_536 - before)}${number}`)
        const suspectsIn = FINDER.open(Buffer.concat([bytes, Buffer.from("\n"), bytes]), "text")
        expect(suspectsIn(0, bytes.length), `${number} ${before}`).toEqual([65_536 - before])
        expect(suspectsIn(bytes.length + 1, 2 * bytes.length + 1), `${number} ${before}`).toEqual([65_536 - before])
      }
    }
  })

  it("with many long fractions keeps the one that changes", () => {
    const same = Array.from({ length: 20 }, (_, at) => 1 / (at + 3))
    for (const blank of ["", " "]) {
      const text = `[${same.join(`,${blank}`)}]`
      expect(parseExactJson(text)).toEqual({ value: same, hasExact: false, lost: null })
      expect(parseExactJson(text.replace("]", ",0.10000000000000001]"))).toMatchObject({ hasExact: true })
    }
  })

  it("is accepted and refused exactly as by JSON.parse", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (text) => {
        expect(JSON.stringify(nearestNumbers(parseExactJson(text).value))).toBe(JSON.stringify(JSON.parse(text)))
      }),
    )
    for (const text of ["01.0", "{1.0:2}", "{1.0 :2}", "[1.0", "--1.0", "1.0x", "1.e5", '"1.0', ""]) {
      expect(() => parseExactJson(text), text).toThrow(SyntaxError)
    }
  })

  it("keeps only the numbers that no JavaScript number represents if values are kept", () => {
    const near = '{"a":[0.12345678901234567,-12345.678901234567]}'
    expect(parseExactJson(near, "value")).toEqual({ value: JSON.parse(near), hasExact: false, lost: null })
    expect(parseExactJson('{"a":1.0000000000000001}', "value").hasExact).toBe(true)
    expect(mayChange(near, "value")).toBe(false)
    expect(mayChange('{"a":1.0000000000000001}', "value")).toBe(true)
    expect(parseExactJson("[1.0,1e2,-0,0.1]", "value")).toEqual({
      value: [1, 100, -0, 0.1],
      hasExact: false,
      lost: null,
    })
    expect(written("[1.0,9007199254740993,0.10000000000000000001]", "value")).toBe(
      "[1,9007199254740993,0.10000000000000000001]",
    )
  })

  it("reports the first number that can't be kept, with its position", () => {
    expect(parseExactJson('{"a": 1e400}')).toEqual({ value: null, hasExact: false, lost: { text: "1e400", at: 6 } })
    expect(parseExactJson("[1, -1e400]", "value").lost).toEqual({ text: "-1e400", at: 4 })
    expect(parseExactJson("1e-400").lost).toEqual({ text: "1e-400", at: 0 })
    expect(parseExactJson("0e-400").lost).toBeNull()
  })

  it("is parsed in linear time, at any depth and length", () => {
    const deep = `${"[".repeat(200_000)}1.0${"]".repeat(200_000)}`
    expect(parseExactJson(deep).lost).toBeNull()
    expect(parseExactJson(`[${"9".repeat(300)}.${"9".repeat(500_000)}]`).lost).toBeNull()
    expect(parseExactJson(`["${'\\"'.repeat(500_000)}", 1.0]`).lost).toBeNull()
  })
})

describe("an exact number", () => {
  it("is distinguished from data that looks like one", () => {
    expect(isExactNumber(exactNumber("1.0"))).toBe(true)
    expect(isExactNumber({ rawJSON: "1.0" })).toBe(false)
    expect(numberText(exactNumber("1.50"))).toBe("1.50")
    expect(numberText(2)).toBe("2")
    expect(numberText("2")).toBeUndefined()
  })
})

describe("JSON of records", () => {
  it("keeps the text of numbers in rows and rounds other numbers", () => {
    const text =
      '{"target":{"rows":[{"id":1234567890123456789,"rows":[1.50]},{"x":1.0}]},"t":1.0,"big":9007199254740993}'
    expect(JSON.stringify(parseJsonRecord(text))).toBe(
      '{"target":{"rows":[{"id":1234567890123456789,"rows":[1.50]},{"x":1.0}]},"t":1,"big":9007199254740992}',
    )
    const data = '{"custom_fields":{"a":1.50},"config":{"schema":{"const":1.50},"schema_defs":{"a":1.50},"min":1.50}}'
    expect(JSON.stringify(parseJsonRecord(data))).toBe(data.replace('"min":1.50', '"min":1.5'))
    expect(parseJsonRecord('{"rows":1.0,"__proto__":{"a":1.0},"list":[1.0]}')).toEqual(
      JSON.parse('{"rows":1,"__proto__":{"a":1},"list":[1]}'),
    )
  })

  it("keeps the text of all numbers with parseJsonExactly", () => {
    expect(JSON.stringify(parseJsonExactly('{"a":[1.0,1e5,"1.0"]}'))).toBe('{"a":[1.0,1e5,"1.0"]}')
    expect(parseJsonExactly('{"a":1}')).toEqual({ a: 1 })
  })

  it("is refused if it has a number that can't be kept", () => {
    expect(() => parseJsonRecord('{"rows":[{"a":1e400}]}')).toThrow(
      expect.objectContaining({ message: "The number 1e400 can't be kept, write it as text, at position 14", at: 14 }),
    )
    expect(() => parseJsonExactly("[1")).toThrow(SyntaxError)
  })
})
