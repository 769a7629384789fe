import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { alignCells, formatRecord, formatTable, type Column } from "./format-table.ts"
import { paint, tone, toneOf } from "./tone.ts"

interface Row {
  readonly name: string
  readonly count: number
  readonly text: string
  readonly state: string
}

const COLUMNS: readonly Column<Row>[] = [
  { heading: "NAME", value: ({ name }) => name },
  { heading: "COUNT", value: ({ count }) => String(count), align: "right" },
  { heading: "STATUS", value: ({ state }) => state, tone: ({ state }) => toneOf(state) },
  { heading: "TEXT", value: ({ text }) => text },
]
const ROW = {
  name: "default/a-fileset-with-a-long-name",
  count: 1_234_567_890,
  text: "words ".repeat(30),
  state: "FAILED",
}

const plain = (width?: number) => paint(formatTable([ROW], COLUMNS, { width }), false)

describe("a table", () => {
  it("aligns its columns, with numbers on the right", () => {
    const rows = [
      { name: "a", size: "10" },
      { name: "longer", size: "5" },
    ]
    const columns = [
      { heading: "NAME", value: ({ name }: { name: string }) => name },
      { heading: "SIZE", value: ({ size }: { size: string }) => size, align: "right" as const },
    ]
    expect(paint(formatTable(rows, columns), false)).toBe("NAME    SIZE\na         10\nlonger     5\n")
  })

  it("shows control characters as ⟨U+202E⟩, and so does a record", () => {
    expect(paint(formatTable([{ a: "x\u001B" }], [{ heading: "A", value: ({ a }) => a }]), false)).toBe(
      "A\nx⟨U+001B⟩\n",
    )
    expect(formatRecord({ a: "x\u001B", long: { b: 1 } })).toBe('a     x⟨U+001B⟩\nlong  {"b":1}\n')
  })

  it("is as wide as its text if it has no layout", verifies("cli.terminal.width"), () => {
    expect(plain()).toContain(ROW.text.trim())
  })

  it.each([120, 80, 66])(
    "fits a terminal of %d characters and keeps names and numbers whole",
    verifies("cli.terminal.width"),
    (width) => {
      const lines = plain(width).trimEnd().split("\n")
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
      expect(lines[1]).toContain(ROW.name)
      expect(lines[1]).toContain(String(ROW.count))
      expect(lines[1]).toMatch(/…$/)
    },
  )

  it("shows names whole even if the terminal is narrower", () => {
    expect(plain(20)).toContain(ROW.name)
  })

  it("shows tones as colours on a terminal and removes them elsewhere", verifies("cli.terminal.colour"), () => {
    const coloured = paint(formatTable([ROW], COLUMNS), true)
    expect(coloured).toContain("\u001B[31mFAILED\u001B[0m")
    expect(coloured.startsWith("\u001B[1mNAME\u001B[0m")).toBe(true)
    expect(plain()).not.toContain("\u001B")
    expect(plain()).not.toMatch(/[\uFDD0-\uFDD4]/)
  })
})

describe("cells without headings", () => {
  it("are aligned by the characters that a reader sees", () => {
    expect(
      alignCells([
        ["e\u0301", "x"],
        ["longer", "y"],
      ]),
    ).toEqual(["e\u0301       x", "longer  y"])
  })
})

describe("a tone", () => {
  it("ends with its line, even if text from outside contains a mark", verifies("cli.terminal.colour"), () => {
    const painted = paint(`${tone("good", "PASS")} \uFDD1evil\nnext`, true)
    expect(painted).toBe("\u001B[32mPASS\u001B[0m \u001B[31mevil\u001B[0m\nnext")
  })
})
