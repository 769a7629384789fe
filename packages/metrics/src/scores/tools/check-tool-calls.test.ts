import { parseJsonExactly } from "@assay/json"
import { describe, expect, it } from "vitest"
import { BFCL_CASES, BFCL_FUNCTIONS } from "../../testing/bfcl-cases.ts"
import { checkToolCalls } from "./check-tool-calls.ts"

describe("the AST check of tool calls", () => {
  it.each(BFCL_CASES)("decides about $id as BFCL does: $valid", ({ answers, calls, valid }) => {
    expect(checkToolCalls(calls, { functions: BFCL_FUNCTIONS, answers })).toBe(valid)
    const nested = calls.map((call) => ({ type: "function", function: call }))
    const read = { functions: JSON.stringify(BFCL_FUNCTIONS), answers: parseJsonExactly(answers) }
    expect(checkToolCalls(nested, read)).toBe(valid)
  })

  it("reads functions in the form of chat completions, with the types of JSON Schema", () => {
    const parameters = {
      type: "object",
      properties: { price: { type: "number" }, room: { type: "object" }, all: { type: "array" } },
    }
    const functions = [{ type: "function", function: { name: "book", parameters } }]
    const answers = [{ book: { price: [5], room: [{ floor: [1] }], all: [[1, "A"]] } }]
    const call = (price: string) => [
      { name: "book", arguments: `{"price": ${price}, "room": {"floor": 1}, "all": [1, "a"]}` },
    ]
    expect(checkToolCalls(call("5"), { functions, answers })).toBe(true)
    expect(checkToolCalls(call("5.0"), { functions, answers })).toBe(true)
    expect(checkToolCalls(call('"5"'), { functions, answers })).toBe(false)
  })

  it("accepts names with underscores instead of dots only if the model was given these", () => {
    const possible = { functions: BFCL_FUNCTIONS, answers: [{ "travel.book": { city: ["Rome"] } }] }
    const calls = [{ name: "travel_book", args: { city: "Rome" } }]
    expect(checkToolCalls(calls, possible)).toBe(false)
    expect(checkToolCalls(calls, { ...possible, underscoreToDot: true })).toBe(true)
  })

  it.each(["{city", "[]", "", '"Rome"'])("finds a call wrong if its arguments are %j", (text) => {
    const answers = [{ weather: { city: ["Rome", ""] } }]
    expect(checkToolCalls([{ name: "weather", arguments: text }], { functions: BFCL_FUNCTIONS, answers })).toBe(false)
  })

  it.each([
    ["a list", { functions: BFCL_FUNCTIONS, answers: "none" }],
    ["one function", { functions: BFCL_FUNCTIONS, answers: [{ a: {}, b: {} }] }],
    ["list of values for 'weather.city'", { functions: BFCL_FUNCTIONS, answers: [{ weather: { city: "Rome" } }] }],
    ["without a name", { functions: [{}], answers: [] }],
    ["known type for 'a.b'", { functions: [{ name: "a", parameters: { properties: { b: {} } } }], answers: [] }],
    ["101 calls", { functions: BFCL_FUNCTIONS, answers: Array.from({ length: 101 }, () => ({ weather: {} })) }],
  ])("refuses functions and answers with a message that contains '%s'", (message, possible) => {
    expect(() => checkToolCalls([], possible)).toThrow(message)
  })
})
