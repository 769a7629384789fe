import { expect, it } from "vitest"
import { fittingCompletions } from "./completion.ts"
import { nextIndent, placeOf } from "./edit-text.ts"

it.each([
  ["checks:", "  "],
  ["  - judge:", "      "],
  ["  - name: a", "    "],
  ["  - a text", "  "],
  ["  - ", "  "],
  ["top", ""],
])("after %j, a new line begins with %j", (line, indent) => {
  expect(nextIndent(`before\n${line}`, 7 + line.length)).toBe(indent)
})

it("a place counts lines and columns, and completions that begin with what is written come first", () => {
  expect(placeOf("a\nbc\nd", 4)).toEqual({ line: 1, column: 2 })
  const items = ["not_equals", "equals", "f1"].map((label) => ({ label }))
  expect(fittingCompletions(items, "Eq").map(({ label }) => label)).toEqual(["equals", "not_equals"])
})
