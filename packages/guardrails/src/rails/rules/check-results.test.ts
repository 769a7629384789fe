import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { checkResults } from "./check-results.ts"

const called = (...calls: readonly (readonly [id: unknown, name: string])[]) => ({
  role: "assistant",
  content: null,
  tool_calls: calls.map(([id, name]) => ({ id, type: "function", function: { name, arguments: "{}" } })),
})
const result = (tool_call_id: unknown, more: object = {}) => ({ role: "tool", tool_call_id, content: "12C", ...more })
const user = { role: "user", content: "And in Rome?" }
const said = { role: "assistant", content: "It is 12C." }
const single = { role: "assistant", content: null, function_call: { name: "weather", arguments: "{}" } }

describe("the rule for results of tools", () => {
  it.each([
    ["one result for each call", [called(["a", "weather"], ["b", "time"]), result("b"), result("a")]],
    ["a result that names its tool", [called(["a", "weather"]), result("a", { name: "weather" })]],
    [
      "ids that later messages use again",
      [called(["a", "weather"]), result("a"), said, user, called(["a", "time"]), result("a")],
    ],
    ["calls without results", [called(["a", "weather"], ["b", "time"]), result("a")]],
    ["calls that can't be read, without results", [{ role: "assistant", tool_calls: [null, 7] }, said, user]],
    ["the older form without ids", [single, { role: "function", name: "weather", content: "12C" }]],
  ])("passes %s", verifies("rails.tool-results"), (_case, messages) => {
    expect(checkResults([user, ...messages])).toBeNull()
  })

  it.each([
    ["no call before it", [result("a")], "does not answer exactly one call"],
    [
      "a call of an earlier message",
      [called(["a", "weather"]), said, user, result("a")],
      "does not answer exactly one",
    ],
    ["an unknown id", [called(["a", "weather"]), result("b")], "The result for 'b' does not answer"],
    ["no id", [called([undefined, "weather"]), result(undefined)], "does not answer exactly one call"],
    ["an id of two calls", [called(["a", "weather"], ["a", "time"]), result("a")], "does not answer exactly one call"],
    ["a second result", [called(["a", "weather"]), result("a"), result("a")], "the second one of its call"],
    ["another name", [called(["a", "weather"]), result("a", { name: "shell" })], "names another tool than its call"],
    ["another name in the older form", [single, { role: "function", name: "shell", content: "x" }], "does not answer"],
  ])("blocks a result with %s", verifies("rails.tool-results"), (_case, messages, reason) => {
    expect(checkResults([user, ...messages])).toContain(reason)
  })
})
