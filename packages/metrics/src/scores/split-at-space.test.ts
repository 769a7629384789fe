import { describe, expect, it } from "vitest"
import { tokenize13a } from "./bleu/bleu-tokenizer.ts"
import { countPieces, splitAtSpace, trimEndAtSpace, trimStartAtSpace } from "./split-at-space.ts"
import { squadWords } from "./squad.ts"

describe("white space between words", () => {
  it("is that of Python: it includes U+001C to U+001F and excludes the byte order mark", () => {
    expect(splitAtSpace("a\u001Cb\u001Dc\u001Ed\u001Fe\u0085f g")).toEqual(["a", "b", "c", "d", "e", "f", "g"])
    expect(splitAtSpace("\uFEFFa\u200Bb")).toEqual(["\uFEFFa\u200Bb"])
    expect(squadWords("The\u001Fcat\u001C")).toEqual(["cat"])
    expect(squadWords("cat\uFEFF")).toEqual(["cat\uFEFF"])
  })

  it("separates as many pieces as re.split of Python finds", () => {
    // len(re.split(r"\\s+", text)) of Python 3.13.
    const texts = [
      "",
      " ",
      "a",
      " a",
      "a b ",
      "a\u0085b",
      "a\u001Cb",
      "\uFEFFa b",
      "a\uFEFFb",
      "\u3000a\u2003 b",
      "a\u180Eb",
    ]
    expect(texts.map(countPieces)).toEqual([1, 2, 1, 2, 3, 2, 2, 2, 1, 3, 1])
    expect(trimStartAtSpace("\u0085\u001F \uFEFFa ")).toBe("\uFEFFa ")
  })

  it("is removed at the end of a text for BLEU", () => {
    expect(trimEndAtSpace("a \u001F\n")).toBe("a")
    expect(trimEndAtSpace(" \n")).toBe("")
    expect(tokenize13a("foo-\n\u001F")).toEqual(["foo-"])
    expect(tokenize13a("foo\uFEFF")).toEqual(["foo\uFEFF"])
  })
})
