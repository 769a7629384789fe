import { expect, it } from "vitest"
import { markTokens } from "./mark-tokens.ts"

it("a prompt is cut at its special tokens, of which the longest counts", () => {
  const parts = markTokens("<s>[INST] hi [/INST]</s>x", ["<s>", "</s>", "[INST]", "<", ""])
  expect(parts.map(({ text, isToken }) => (isToken ? [text] : text))).toEqual([
    ["<s>"],
    ["[INST]"],
    " hi [/INST]",
    ["</s>"],
    "x",
  ])
  expect(parts.map(({ at }) => at)).toEqual([0, 3, 9, 20, 24])
  expect(markTokens("a", [])).toEqual([{ at: 0, text: "a", isToken: false }])
  expect(markTokens("", ["<s>"])).toEqual([])
})
