import { assert, property, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { printable, printableJson, printableText } from "./printable.ts"

/** An escape sequence that makes a terminal copy `boo` to the clipboard. */
const OSC_52 = "\u001B]52;c;Ym9v\u0007"

describe("text from outside", () => {
  it("shows every control character as ⟨U+202E⟩, and nothing else", () => {
    expect(printable(`a${OSC_52}\nb\u202Ec\u200F`)).toBe("a⟨U+001B⟩]52;c;Ym9v⟨U+0007⟩⟨U+000A⟩b⟨U+202E⟩c⟨U+200F⟩")
    expect(printableText(`a\tb${OSC_52}\r\nc\u009B2J\u2066`)).toBe(
      "a\tb⟨U+001B⟩]52;c;Ym9v⟨U+0007⟩⟨U+000D⟩\nc⟨U+009B⟩2J⟨U+2066⟩",
    )
    expect(printableText("日本語 e\u0301 \u{1F4BE} ⟨U+001B⟩")).toBe("日本語 e\u0301 \u{1F4BE} ⟨U+001B⟩")
  })

  it("has no control character left, with any content", () => {
    assert(
      property(string({ unit: "binary" }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\u2028\u2029\p{Bidi_Control}]/u)
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
