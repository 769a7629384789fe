import { describe, expect, it } from "vitest"
import { parseLabelledPrompt } from "./labelled-prompt.ts"

describe("a row of labelled prompts", () => {
  it("is parsed with labels in any case, and without empty and unknown fields", () => {
    const row = { id: 7, prompt: "Hi", response: "", label: " UNSAFE ", category: "x", language: null, note: "y" }
    expect(parseLabelledPrompt(row, 1)).toEqual({ id: "7", prompt: "Hi", label: "unsafe", category: "x" })
  })

  it.each(["harmful", "unharmful", 1, 0, true, false, "", undefined, "safe or unsafe"])(
    "is refused with the unknown label %j",
    (label) => {
      expect(() => parseLabelledPrompt({ prompt: "Hi", label }, 3)).toThrow(
        /^Row 3 has `label` .*; write `safe` or `unsafe`; other labels are not guessed at\.$/,
      )
    },
  )

  it.each([
    [["Hi", "safe"], /^Row 2 is \["Hi","safe"\]; write an object/],
    [{ label: "safe" }, /^Row 2 has `prompt` missing; give the text/],
    [{ prompt: "  ", label: "safe" }, /^Row 2 has `prompt` " {2}"/],
    [{ prompt: "Hi", label: "safe", category: 4 }, /^Row 2 has `category` 4; write text there, or leave it out/],
  ])("is refused if it is %j", (row, message) => {
    expect(() => parseLabelledPrompt(row, 2)).toThrow(expect.objectContaining({ code: "rows_invalid" }))
    expect(() => parseLabelledPrompt(row, 2)).toThrow(message)
  })
})
