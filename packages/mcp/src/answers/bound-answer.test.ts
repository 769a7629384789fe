import { exactNumber } from "@assay/json"
import { AssayError } from "@assay/schemas"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { boundItems, cutTexts } from "./bound-answer.ts"
import { describeFailure } from "./describe-failure.ts"

const options = { noun: "row", rest: (kept: number) => `Continue with offset ${kept}.` }

describe("boundItems", () => {
  it("keeps items that fit as they are, without a note", () => {
    const items = [{ a: "x" }, { a: exactNumber("1.50") }]
    const bound = boundItems(items, options)
    expect([JSON.stringify(bound.kept), bound.notes]).toEqual(['[{"a":"x"},{"a":1.50}]', []])
  })

  it("leaves out items beyond 30,000 characters, cuts long texts, and says both", verifies("mcp.bounded"), () => {
    const { kept, notes } = boundItems(
      Array.from({ length: 40 }, () => ({ text: "x".repeat(9000) })),
      options,
    )
    expect(JSON.stringify(kept).length).toBeLessThan(31_000)
    expect(notes).toEqual([
      `Only ${kept.length} of 40 rows fit into this answer. Continue with offset ${kept.length}.`,
      `Long texts are cut in ${kept.length} of these rows; an ellipsis shows where.`,
    ])
  })

  it("shortens an item of many small parts, and keeps at least one item", verifies("mcp.bounded"), () => {
    const many = { parts: Array.from({ length: 50_000 }, (_, at) => at) }
    const { kept } = boundItems<unknown>([many, many], { ...options, shorten: (_item, text) => text })
    expect(JSON.stringify(kept).length).toBeLessThan(7000)
    expect(boundItems([many], options).kept).toHaveLength(1)
  })
})

it("cutTexts cuts texts at any depth, and ends them with an ellipsis", () => {
  expect(cutTexts({ a: ["12345", { b: "123456" }] }, 5)).toEqual({ a: ["12345", { b: "1234…" }] })
})

it(
  "describeFailure has code, message and remedy, each failed check, and nothing of an error that is not ours",
  verifies("mcp.errors"),
  () => {
    const failed_checks = [{ check: "rows", message: "There are none.", remedy: "Add some." }]
    const text = describeFailure(
      new AssayError("launch_refused", "Job cannot be launched", { context: { failed_checks } }),
    )
    expect(text).toMatch(
      /^launch_refused: Job cannot be launched\n- rows: There are none\. What to do: Add some\.\nWhat to do: Correct/,
    )
    expect(describeFailure(new Error("sk-secret"))).not.toContain("sk-secret")
    expect(describeFailure(new AssayError("not_found", "x".repeat(50_000))).length).toBeLessThanOrEqual(4000)
  },
)

it("boundItems counts the escapes of characters that texts of tools do not have", verifies("mcp.bounded"), () => {
  const { kept } = boundItems(
    Array.from({ length: 40 }, () => ({ text: "\u202E".repeat(1500) })),
    options,
  )
  expect(kept).toHaveLength(3)
})
