import { describe, expect, it } from "vitest"
import { chunkDelta, joinToolCalls } from "./chunk-delta.ts"

describe("chunkDelta", () => {
  it("reads text and pieces of tool calls", () => {
    const call = { index: 0, function: { arguments: "{" } }
    expect(chunkDelta({ choices: [{ delta: { content: "a", tool_calls: [call] } }] })).toEqual({
      text: "a",
      toolCalls: [call],
    })
  })

  it("reads nothing from content of another shape", () => {
    for (const choices of [undefined, null, [], [null], [{}], [{ delta: "a" }], [{ delta: { content: null } }]]) {
      expect(chunkDelta({ choices })).toEqual({ text: "", toolCalls: [] })
    }
  })
})

describe("joinToolCalls", () => {
  it("reads arguments that are an object, the input of a custom tool, and those beside the function", () => {
    const joined = joinToolCalls([
      { index: 0, id: "a", function: { name: "run", arguments: { command: "rm" } } },
      { index: 1, id: "b", type: "custom", custom: { name: "shell", input: "rm " } },
      { index: 1, custom: { input: "-rf" } },
      { index: 2, id: "c", name: "run", arguments: "{}" },
    ])
    expect(joined.map((call) => call["function"])).toEqual([
      { name: "run", arguments: '{"command":"rm"}' },
      { name: "shell", arguments: "rm -rf" },
      { name: "run", arguments: "{}" },
    ])
  })

  it("joins the pieces of each call", () => {
    const joined = joinToolCalls([
      { index: 0, id: "a", function: { name: "pay", arguments: "" } },
      { index: 1, id: "b", function: { name: "look", arguments: "{}" } },
      { index: 0, function: { arguments: '{"to":' } },
      { index: 0, function: { arguments: '"me"}' } },
    ])
    expect(joined).toEqual([
      { id: "a", type: "function", function: { name: "pay", arguments: '{"to":"me"}' } },
      { id: "b", type: "function", function: { name: "look", arguments: "{}" } },
    ])
  })
})
