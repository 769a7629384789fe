import { describe, expect, it } from "vitest"
import { diffWords } from "./diff-words.ts"

const marked = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => (kind === "same" ? text : kind === "removed" ? `[-${text}]` : `[+${text}]`))
    .join("")

describe("the difference of two texts", () => {
  it.each([
    ["Paris is the capital.", "Rome is the capital.", "[-Paris][+Rome] is the capital."],
    ["same", "same", "same"],
    ["", "new", "[+new]"],
    ["gone", "", "[-gone]"],
    ["a b c", "a c", "a [-b ]c"],
    ["Ja, natürlich", "Ja, sicher", "Ja, [-natürlich][+sicher]"],
  ])("%s to %s is %s", (before, after, expected) => expect(marked(before, after)).toBe(expected))

  it("long texts stand one after the other", () => {
    const long = "word ".repeat(1000)
    expect(diffWords(long, "short").map(({ kind }) => kind)).toEqual(["removed", "added"])
    expect(diffWords(long, "")).toEqual([{ kind: "removed", text: long }])
  })

  it("texts of 500 symbols with only one in common stand one after the other", () => {
    const parts = diffWords(`${"!".repeat(499)}.`, `.${"?".repeat(499)}`)
    expect(parts.map(({ kind }) => kind)).toEqual(["removed", "added"])
  })

  it("its parts put both texts together again", () => {
    const before = "the quick brown fox jumps"
    const after = "a quick red fox jumped over"
    const parts = diffWords(before, after)
    const side = (left: string) =>
      parts
        .filter(({ kind }) => kind !== left)
        .map(({ text }) => text)
        .join("")
    expect([side("added"), side("removed")]).toEqual([before, after])
  })
})
