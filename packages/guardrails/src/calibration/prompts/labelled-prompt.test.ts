import { readFileSync } from "node:fs"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { exampleSetPath, parseLabelledPrompt } from "./labelled-prompt.ts"

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

const rows = readFileSync(exampleSetPath(), "utf8")
  .trim()
  .split("\n")
  .map((line, index) => parseLabelledPrompt(JSON.parse(line), index + 1))

function counts(of: "category" | "language") {
  const groups = Map.groupBy(rows, (row) => row[of] ?? "none")
  return [...groups].map(([name, some]) => ({
    name,
    safe: some.filter(({ label }) => label === "safe").length,
    unsafe: some.filter(({ label }) => label === "unsafe").length,
  }))
}

describe("the example set", () => {
  it(
    "is balanced in each category and language, and its README says what it can't show",
    verifies("calibrate.example-set"),
    () => {
      expect(rows.length).toBeGreaterThanOrEqual(220)
      expect(rows.filter(({ label }) => label === "safe")).toHaveLength(rows.length / 2)
      expect(counts("category").length).toBeGreaterThanOrEqual(10)
      for (const { safe, unsafe } of counts("category")) expect(safe).toBe(unsafe)
      expect(counts("language").length).toBeGreaterThanOrEqual(9)
      for (const { safe, unsafe } of counts("language")) {
        expect(Math.min(safe, unsafe)).toBeGreaterThanOrEqual(6)
        expect(Math.abs(safe - unsafe)).toBeLessThanOrEqual(3)
      }
      const readme = readFileSync(new URL("../../../data/README.md", import.meta.url), "utf8")
      expect(readme).toContain("It is not a benchmark.")
    },
  )

  it("contains no prompt and no id twice", () => {
    expect(new Set(rows.map(({ prompt }) => prompt)).size).toBe(rows.length)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })
})
