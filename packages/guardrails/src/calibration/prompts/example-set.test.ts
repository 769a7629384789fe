import { readFileSync } from "node:fs"
import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { exampleSetPath } from "./example-set.ts"
import { parseLabelledPrompt } from "./labelled-prompt.ts"

const rows = readFileSync(exampleSetPath(), "utf8")
  .trim()
  .split("\n")
  .map((line, place) => parseLabelledPrompt(JSON.parse(line), place + 1))

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
      expect(readme).toContain("It is no benchmark.")
    },
  )

  it("contains no prompt and no id twice", () => {
    expect(new Set(rows.map(({ prompt }) => prompt)).size).toBe(rows.length)
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length)
  })
})
