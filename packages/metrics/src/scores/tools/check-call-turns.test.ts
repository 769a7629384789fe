import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { checkCallTurns } from "./check-call-turns.ts"
import { parsePythonCall } from "./python-call.ts"

const FUNCTIONS = [
  {
    name: "sort",
    parameters: { type: "dict", properties: { file_name: { type: "string" } }, required: ["file_name"] },
  },
  { name: "ls", parameters: { properties: { a: { type: "boolean", default: false } } } },
]
const TURNS = [["cd(folder='document')", "ls()"], [], ["sort('a.txt')"]]
const call = (name: string, args: object) => ({ function: { name, arguments: JSON.stringify(args) } })
const CD = call("cd", { folder: "document" })
const SORT = call("sort", { file_name: "a.txt" })
const LS = call("ls", {})
const result = (made: readonly (readonly unknown[])[], more: object = {}) =>
  checkCallTurns(made, { functions: FUNCTIONS, turns: TURNS, ...more })

describe("the calls of a conversation", () => {
  it.each([
    ["in any order within a turn", [[LS, CD], [], [SORT]], 1],
    ["with a default that is written", [[CD, call("ls", { a: false })], [], [SORT]], 1],
    ["with calls that nobody asked for", [[CD, LS, SORT], [SORT], [LS, SORT]], 1],
    ["in an earlier turn, with another call in their own", [[CD, LS, SORT], [], [LS]], 1],
    ["in an earlier turn, and none in their own", [[CD, LS, SORT], [], []], 2 / 3],
    ["with another argument", [[call("cd", { folder: "x" }), LS], [], [SORT]], 0],
    ["with arguments that are not JSON", [[{ function: { name: "cd", arguments: "{" } }, LS], [], [SORT]], 0],
    ["with too few turns", [[CD, LS], [SORT]], 0],
  ])("are right or wrong %s", verifies("metric.tool-call-turns"), (_, made, share) => {
    expect(result(made)).toEqual({ isRight: share === 1, share })
  })

  it("must be none in a turn that expects none, if that is asked for", verifies("metric.tool-call-turns"), () => {
    expect(result([[CD, LS], [LS], [SORT]], { strictEmpty: true })).toEqual({ isRight: false, share: 1 / 3 })
  })

  it.each([
    [[], /1 to 100 lists/],
    [[["rm -rf"]], /not a call with literals/],
    [[["f(1)"]], /without names/],
    [[[3]], /neither Python source/],
  ])("can't be compared with %j", (turns, message) => {
    expect(() => result([], { turns })).toThrow(message)
  })
})

describe("a call in Python", () => {
  it("has literals of all kinds", () => {
    const source = String.raw`a.b( 'it\'s', "x\n\u00e9", n=-1.5e3, l=[1, (2,), {'k': None}], t=True, )`
    expect(parsePythonCall(source)).toEqual({
      name: "a.b",
      positional: ["it's", "x\né"],
      named: { n: -1500, l: [1, [2], { k: null }], t: true },
    })
  })

  it.each([
    "",
    "f",
    "f(",
    "f(x)",
    "f(1",
    "f(1) + g()",
    "f({1: 2})",
    "f('a)",
    `f(${"[".repeat(30)}${"]".repeat(30)})`,
    "f(a=1 2)",
  ])("is not %j", (source) => {
    expect(() => parsePythonCall(source)).toThrow(/is not a call with literals/)
  })
})
