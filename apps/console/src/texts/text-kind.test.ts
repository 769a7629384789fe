import { expect, it } from "vitest"
import { textKind } from "./text-kind.ts"

it("code fences, headings, tables, links, bold words and lists are Markdown, and plain sentences are not", () => {
  const markdown = [
    "```py\nx\n```",
    "a\n\n## Head",
    "| a | b |\n| - | - |",
    "see [it](http://x)",
    "so **bold**",
    "use `f()`",
  ]
  expect([...markdown, "- a\n- b", "1. a\n2. b"].map(textKind)).toEqual(Array(8).fill("markdown"))
  const plain = ["", "2 * 3 * 4", "- one thing", "a_b and c_d", "# ", "[1] is a note (see 2)", "x".repeat(30_000)]
  expect(plain.map(textKind)).toEqual(Array(plain.length).fill("plain"))
  expect(['{"a": [1]}', " [1, 2]", "{not json}"].map(textKind)).toEqual(["json", "json", "plain"])
})
