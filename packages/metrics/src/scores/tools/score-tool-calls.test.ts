import { array, assert, constantFrom, dictionary, jsonValue, property, record, string } from "fast-check"
import { describe, expect, it } from "vitest"
import { TOOL_CALL_CASES } from "../../testing/tool-call-cases.ts"
import { scoreToolCalls } from "./score-tool-calls.ts"

const call = record({ name: constantFrom("sum", "play"), arguments: dictionary(string(), jsonValue()) })

describe("scores of tool calls", () => {
  it.each(TOOL_CALL_CASES)("have the reference values of $id", ({ input, expect: expected }) => {
    expect(scoreToolCalls(input.calls, input.reference)).toEqual(expected)
  })

  it.each<[string, unknown, unknown, number, number]>([
    ["none expected and none made", undefined, [], 1, 1],
    ["one too many", [{ name: "f" }], null, 0, 0],
    ["another order", [{ name: "f" }, { name: "g" }], [{ name: "g" }, { name: "f" }], 1, 1],
    ["case", [{ name: "F" }], [{ name: "f" }], 0, 0],
    ["a call without a name", [{ arguments: "{}" }, { name: "" }, 7], [], 1, 1],
    [
      "a nested function",
      [{ function: { name: "f", arguments: '{"a":1,"b":2}' } }],
      [{ name: "f", args: { b: 2, a: 1 } }],
      1,
      1,
    ],
    ["a reference in JSON text", [{ name: "f" }], '[{"function":{"name":"f","arguments":null}}]', 1, 1],
    ["other arguments", [{ name: "f", arguments: "[1]" }], [{ name: "f", arguments: [2] }], 1, 0],
    ["arguments that are not JSON", [{ name: "f", arguments: "{a" }], [{ name: "f" }], 1, 0],
    ["arguments that are null", [{ name: "f", arguments: "null" }], [{ name: "f", arguments: {} }], 1, 1],
    ["empty arguments", [{ name: "f", arguments: "" }], [{ name: "f" }], 1, 1],
    ["blank arguments", [{ name: "f", arguments: " \n" }], [{ name: "f", arguments: {} }], 1, 1],
    ["empty arguments for some", [{ name: "f", arguments: "" }], [{ name: "f", arguments: { a: 1 } }], 1, 0],
    ["JSON in JSON", [{ name: "f", arguments: '"{\\"a\\":1}"' }], [{ name: "f", arguments: { a: 1 } }], 1, 0],
    ["arguments that are a number", [{ name: "f", arguments: "5" }], [{ name: "f", arguments: {} }], 1, 0],
    [
      "one call of two that is not JSON",
      [{ name: "f" }, { name: "g", arguments: "{" }],
      [{ name: "f" }, { name: "g" }],
      1,
      0,
    ],
    ["a reference that is not JSON", [{ name: "f" }], [{ name: "f", arguments: "{a" }], 1, Number.NaN],
    ["text that is not JSON", "f()", [], Number.NaN, Number.NaN],
    ["a value that is not a list", { name: "f" }, [], Number.NaN, Number.NaN],
    [
      "JSON that is too deep",
      [{ name: "f", arguments: `${"[".repeat(50_000)}${"]".repeat(50_000)}` }],
      [{ name: "f" }],
      1,
      0,
    ],
  ])("with %s", (_, actual, expected, names, all) => {
    expect(scoreToolCalls(actual, expected)).toEqual({
      function_name_accuracy: names,
      function_name_and_args_accuracy: all,
    })
  })

  it("count duplicates unless they are to be ignored", () => {
    const [once, twice] = [[{ name: "f" }], [{ name: "f" }, { name: "f" }]]
    expect(scoreToolCalls(twice, once).function_name_accuracy).toBe(0)
    expect(scoreToolCalls(twice, once, { duplicates: "ignore" })).toEqual({
      function_name_accuracy: 1,
      function_name_and_args_accuracy: 1,
    })
  })

  it("are 1 for the same calls in any order and any accepted form", () => {
    assert(
      property(array(call), (calls) => {
        const written = calls.toReversed().map(({ name, arguments: own }) => ({
          function: { name, arguments: JSON.stringify(own) },
        }))
        expect(scoreToolCalls(written, calls)).toEqual({
          function_name_accuracy: 1,
          function_name_and_args_accuracy: 1,
        })
      }),
    )
  })
})
