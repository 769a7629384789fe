import { runBounded } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseStructured } from "./parse-structured.ts"
import { parseYaml } from "./parse-yaml.ts"

describe("a document of a user", () => {
  it.each([
    ['{"a": [1, null]}', { a: [1, null] }],
    ["a:\n  - 1\n  - ~\n", { a: [1, null] }],
    ['"text"', "text"],
  ])("%j is parsed as JSON or YAML", (text, value) => expect(parseStructured(text, "--storage")).toEqual(value))

  it.each([
    ["just text", /^--storage is not JSON or YAML: Unexpected token/],
    ["{nope", /^--storage is not JSON or YAML: /],
    ["a: [1", /^--storage:1:6: /],
    ["a: *missing", /^--storage: /],
    ['{"a": {"b": 1,\n"b": 2}}', /^--storage:2: The key 'b' is twice in one object; keep one value of it\.$/],
    ["a: {b: .inf}", /^--storage:1:8: The number \.inf can't be kept; write it as text\.$/],
    ["a:\n  b: -.INF", /^--storage:2:6: The number -\.INF can't be kept/],
    ["a: [.nan, 1e400]", /^--storage:1:5: The number \.nan can't be kept/],
    ["a: {b: 1, b: 2}", /^--storage:1:11: The key 'b' is twice in one object/],
  ])("%j is refused by name", (text, message) => {
    expect(() => parseStructured(text, "--storage")).toThrow(
      expect.objectContaining({ code: "bad_document", message: expect.stringMatching(message) }),
    )
  })

  it.each([
    ["keys", (at: number) => `k${at}: 1\n`, /^$/],
    ["aliases", (at: number) => `- &a${at} 1\n- *a${at}\n`, /^eval\.yaml:2002:3: This is the alias number 1001/],
    ["levels", () => "- ", /^eval\.yaml:1:\d+: This is nested too deeply/],
  ])("with many %s is read or refused in a time that grows with its size", (_what, part, message) => {
    const text = Array.from({ length: 30_000 }, (_, at) => part(at)).join("")
    const outcome = runBounded(() => {
      try {
        parseYaml(text, "eval.yaml")
        return ""
      } catch (error) {
        return (error as Error).message
      }
    })
    expect(outcome).toMatch(message)
  })

  it.each(["json", "yaml"])("in %s keeps the numbers of its rows", (form) => {
    const number = "12345678901234567890.10"
    const text = form === "json" ? `{"rows": [{"n": ${number}}]}` : `rows:\n  - n: ${number}\n`
    expect(JSON.stringify(parseStructured(text, "eval.yaml"))).toBe(`{"rows":[{"n":${number}}]}`)
  })

  it("has the location of every value, and of the nearest value around one that is missing", () => {
    const { locationOf } = parseYaml("target:\n  type: model\nconfig: {}\n", "eval.yaml")
    expect([locationOf("/target/type"), locationOf("/target/url"), locationOf("/config"), locationOf("")]).toEqual([
      "eval.yaml:2:3",
      "eval.yaml:1:1",
      "eval.yaml:3:1",
      "eval.yaml:1:1",
    ])
  })
})
