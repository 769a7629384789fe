import { assert, property, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { printable, printableJson, printableText } from "./printable.ts"

/** An escape sequence that makes a terminal copy `boo` to the clipboard. */
const OSC_52 = "\u001B]52;c;Ym9v\u0007"

describe("text from outside", () => {
  it("shows every control character as an escape, and nothing else", () => {
    expect(printable(`a${OSC_52}\nb\u202Ec`)).toBe("a\\u{1b}]52;c;Ym9v\\u{7}\\u{a}b\\u{202e}c")
    expect(printableText(`a\tb${OSC_52}\r\nc\u009B2J\u2066`)).toBe(
      "a\tb\\u{1b}]52;c;Ym9v\\u{7}\\u{d}\nc\\u{9b}2J\\u{2066}",
    )
    expect(printableText("日本語 e\u0301 \u{1F4BE} \\u{1b}")).toBe("日本語 e\u0301 \u{1F4BE} \\u{1b}")
  })

  it("has no control character left, with any content", () => {
    assert(
      property(string({ unit: "binary" }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
        expect(printableText(text).replaceAll(/[\n\t]/g, "")).toBe(printable(text.replaceAll(/[\n\t]/g, "")))
      }),
    )
  })

  it("keeps its value if it is JSON", () => {
    assert(
      property(string({ unit: "binary" }), (text) => {
        const json = printableJson(JSON.stringify({ text }, null, 2))
        expect(JSON.parse(json)).toEqual({ text })
        expect(printableText(json)).toBe(json)
      }),
    )
  })
})
