import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatCsv } from "./format-csv.ts"

describe("CSV that we write", () => {
  it.each([
    ['=HYPERLINK("http://evil.test","open")', `"'=HYPERLINK(""http://evil.test"",""open"")"`],
    ["+1+cmd|' /C calc'!A0", "'+1+cmd|' /C calc'!A0"],
    ["-2+3", "'-2+3"],
    ["@SUM(1)", "'@SUM(1)"],
    ["\t=1", "'\t=1"],
    ["\r=1", "'⟨U+000D⟩=1"],
    ["＝1+1", "'＝1+1"],
    ["-", "'-"],
  ])("has no cell that a spreadsheet runs: %j becomes %j", verifies("results.csv.formulas"), (cell, written) => {
    expect(formatCsv([[cell]])).toBe(`${written}\r\n`)
  })

  it("leaves numbers and other text as they are", verifies("results.csv.formulas"), () => {
    const cells = [-1.5, "-1.5", "+3", "-1e-7", "a=b", "'quoted", null, undefined, true]
    expect(formatCsv([cells])).toBe("-1.5,-1.5,+3,-1e-7,a=b,'quoted,,,true\r\n")
  })

  it("has no control character that a terminal obeys", verifies("results.logs.controls"), () => {
    const cells = ["\u001B]52;c;Ym9v\u0007", "\u009B2J", "a\u202Eb", "two\r\nlines\tand\rmore"]
    expect(formatCsv([cells])).toBe(
      '⟨U+001B⟩]52;c;Ym9v⟨U+0007⟩,⟨U+009B⟩2J,a⟨U+202E⟩b,"two\nlines\tand⟨U+000D⟩more"\r\n',
    )
  })
})
