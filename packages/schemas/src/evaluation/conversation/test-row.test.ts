import { describe, expect, it } from "vitest"
import { testRow } from "./test-row.ts"

const row = { task: "t", row_index: 3, repeat: 0, item: { order: "A1", turns: ["old"] } }

describe("testRow", () => {
  it("returns the item of a row with its answer and its origin", () => {
    expect(testRow({ ...row, sample: { output_text: "Hi" } }, "eval-1")).toEqual({
      order: "A1",
      turns: ["old"],
      output_text: "Hi",
      from: { job: "eval-1", task: "t", row_index: 3, repeat: 0 },
    })
  })

  it("returns the messages, calls and answers of tools of a conversation", () => {
    const calls = [
      { name: "get", arguments: { id: "A1" }, result: { status: "shipped" } },
      { name: "__proto__", arguments: {}, error: "down" },
      { name: "get", arguments: '{"id', error: "malformed" },
    ]
    const made = testRow({ ...row, turns: [{ user: "Where?", output_text: "Shipped", calls }] })
    expect(made["turns"]).toEqual([{ user: "Where?", output_text: "Shipped", calls }])
    expect(made["calls"]).toEqual(calls.slice(0, 2).map(({ name, arguments: args }) => ({ name, arguments: args })))
    expect(Object.entries(made["tool_answers"] as object)).toEqual([
      ["get", [{ when: { id: "A1" }, result: { status: "shipped" } }]],
      ["__proto__", [{ when: {}, error: "down" }]],
    ])
    expect(made["output_text"]).toBe("Shipped")
  })
})
