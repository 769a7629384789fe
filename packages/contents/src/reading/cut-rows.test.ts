import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { cutText } from "../testing/cut-text.ts"
import { pieceSizes } from "../testing/overwritten-pieces.ts"

/** A part of a file, with the expected row by construction. */
interface Part {
  readonly text: string
  readonly row?: unknown
}

/** Returns the expected rows of the concatenated `parts`, with their positions. In CSV, a carriage return ends a line too. */
function expected(parts: readonly Part[], start = "", lineEnd: string | RegExp = "\n") {
  let before = start
  let row_index = 0
  return parts.flatMap((part) => {
    const location = { line: before.split(lineEnd).length, offset: Buffer.byteLength(before) }
    before += part.text
    return "row" in part ? [{ row_index: row_index++, ...location, row: part.row, fault: null }] : []
  })
}

const written = (parts: readonly Part[]) => parts.map(({ text }) => text).join("")
const bufferBytes = fc.integer({ min: 4, max: 200 })
const mark = fc.constantFrom("", "\ufeff")
const json = fc.jsonValue({ maxDepth: 3 })
/** An array of all rows is not JSON lines. */
const jsonOfLine = json.filter((value) => !Array.isArray(value) || typeof value[0] === "number")
const blank = fc.constantFrom("", " ", "\t", "\r", " \n", "\n")

describe("rows of JSON lines", () => {
  const line = fc.oneof(
    {
      weight: 4,
      arbitrary: fc
        .tuple(jsonOfLine, fc.constantFrom("\n", "\r\n"))
        .map(([row, end]): Part[] => [
          { text: JSON.stringify(row), row: JSON.parse(JSON.stringify(row)) },
          { text: end },
        ]),
    },
    { weight: 1, arbitrary: fc.constantFrom("\n", "\r\n", "  \t\n").map((text): Part[] => [{ text }]) },
  )

  it("have exact positions for all piece sizes", verifies("contents.rows.places"), async () => {
    await fc.assert(
      fc.asyncProperty(
        mark,
        fc.array(line),
        fc.boolean(),
        pieceSizes,
        bufferBytes,
        async (bom, lines, cut, sizes, size) => {
          const parts = lines.flat()
          // The last line may have no line end.
          const kept = cut && parts.at(-1)?.row === undefined ? parts.slice(0, -1) : parts
          const rows = await cutText(bom + written(kept), "lines", { sizes, bufferBytes: size })
          expect(rows).toEqual(expected(kept, bom))
        },
      ),
    )
  })
})

describe("rows of a JSON file", () => {
  const space = fc.array(fc.constantFrom(" ", "\n", "\r\n", "\t"), { maxLength: 3 }).map((some) => some.join(""))
  const element = fc.tuple(space, json, fc.constantFrom(0, 2), space)

  it("are the elements of one array, with exact positions for all piece sizes", async () => {
    await fc.assert(
      fc.asyncProperty(
        mark,
        space,
        fc.array(element),
        space,
        pieceSizes,
        bufferBytes,
        async (bom, before, elements, after, sizes, size) => {
          const parts: Part[] = [{ text: `${before}[` }]
          for (const [index, [left, row, indent, right]] of elements.entries()) {
            parts.push({ text: `${index === 0 ? "" : ","}${left}` })
            parts.push(
              { text: JSON.stringify(row, null, indent), row: JSON.parse(JSON.stringify(row)) },
              { text: right },
            )
          }
          parts.push({ text: `]${after}` })
          const rows = await cutText(bom + written(parts), "json", { sizes, bufferBytes: size })
          expect(rows).toEqual(expected(parts, bom))
        },
      ),
    )
  })

  it("are the values that follow one another", async () => {
    const first = json.filter((value) => !Array.isArray(value))
    await fc.assert(
      fc.asyncProperty(
        mark,
        first,
        fc.array(fc.tuple(space, json)),
        pieceSizes,
        bufferBytes,
        async (bom, one, more, sizes, size) => {
          const parts: Part[] = [{ text: JSON.stringify(one), row: JSON.parse(JSON.stringify(one)) }]
          for (const [gap, row] of more) {
            parts.push({ text: `${gap} ` }, { text: JSON.stringify(row), row: JSON.parse(JSON.stringify(row)) })
          }
          const rows = await cutText(bom + written(parts), "json", { sizes, bufferBytes: size })
          expect(rows).toEqual(expected(parts, bom))
        },
      ),
    )
  })
})

describe("rows of a CSV file", () => {
  const field = fc.oneof(
    fc.stringMatching(/^[a-z0-9 ü;.\r]*$/),
    fc
      .array(fc.constantFrom("a", '"', ",", "\n", "\r\n", "ü", "\u{1f600}"), { maxLength: 6 })
      .map((some) => some.join("")),
  )
  const quoted = (text: string, always: boolean) =>
    always || /[",\n\r]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text

  it("have exact positions for all piece sizes", async () => {
    const columns = fc.uniqueArray(field, { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(
        mark,
        columns.chain((names) =>
          fc.tuple(fc.constant(names), fc.array(fc.tuple(fc.tuple(...names.map(() => field)), blank))),
        ),
        fc.constantFrom("\n", "\r\n"),
        fc.boolean(),
        pieceSizes,
        bufferBytes,
        async (bom, [names, records], end, always, sizes, size) => {
          const line = (fields: readonly string[]) => fields.map((text) => quoted(text, always)).join(",")
          const parts: Part[] = [{ text: line(names) + end }]
          for (const [fields] of records) {
            const row = Object.fromEntries(names.map((name, index) => [name, fields[index] ?? ""]))
            parts.push({ text: line(fields), row }, { text: end })
            // A blank line is a record with an empty field if there is one column, and no record otherwise.
            parts.push({ text: "", ...(names.length === 1 ? { row: { [names[0] ?? ""]: "" } } : {}) }, { text: end })
          }
          const rows = await cutText(bom + written(parts), "csv", { sizes, bufferBytes: size })
          expect(rows).toEqual(expected(parts, bom, /\r\n|\r|\n/))
        },
      ),
    )
  })
})

describe("a row that is too long", () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 12 })

  it.each(["lines", "json"] as const)(
    "is reported at its location, and the other rows of %s are read",
    async (encoding) => {
      await fc.assert(
        fc.asyncProperty(
          lengths,
          fc.integer({ min: 1, max: 40 }),
          pieceSizes,
          bufferBytes,
          async (given, max, sizes, size) => {
            const texts = given.map((length) => "1".repeat(length))
            const text = encoding === "lines" ? texts.join("\n") : `[${texts.join(",")}]`
            const rows = await cutText(text, encoding, { sizes, bufferBytes: size, maxRowBytes: max })
            expect(rows.map(({ fault }) => fault)).toEqual(
              given.map((length) => (length <= max ? null : `is longer than ${max} bytes, the maximum that is read`)),
            )
            const offset = (index: number) =>
              texts.slice(0, index).reduce((sum, one) => sum + one.length + 1, encoding === "json" ? 1 : 0)
            expect(rows.map((row) => row.offset)).toEqual(texts.map((_, index) => offset(index)))
          },
        ),
      )
    },
  )
})
