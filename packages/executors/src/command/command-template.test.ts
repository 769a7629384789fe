import { describe, expect, it } from "vitest"
import { fillTemplate, placeholdersOf, splitWords } from "./command-template.ts"

describe("the command of a profile", () => {
  it("is split at spaces, with quotes and backslashes as in a shell", () => {
    expect(splitWords(` a "b c" 'd "e"' f\\ g ""  h'i j'k `)).toEqual(["a", "b c", 'd "e"', "f g", "", "hi jk"])
    expect(splitWords("$HOME; *.csv && x")).toEqual(["$HOME;", "*.csv", "&&", "x"])
    expect(() => splitWords("a 'b")).toThrow(/a 'b.*has a '/)
  })

  it("keeps each value within its word, whatever it contains", () => {
    const values = { run: "/srv/a b'c$(x)", program: ["node", "/my main.js"], indexes: ["1", "2"] }
    expect(fillTemplate(["{program}", "--run={run}", "{run}", "{indexes}"], values)).toEqual([
      "node",
      "/my main.js",
      "--run=/srv/a b'c$(x)",
      "/srv/a b'c$(x)",
      "1",
      "2",
    ])
  })

  it("replaces nothing inside a value", () => {
    expect(fillTemplate(["{run}"], { run: "{index}", index: "7" })).toEqual(["{index}"])
  })

  it("keeps braces that are not placeholders", () => {
    expect(fillTemplate(["{}", "{1}", '{"a":{}}', "{{run}}"], { run: "x" })).toEqual(["{}", "{1}", '{"a":{}}', "{run}"])
    expect([...placeholdersOf(["{{index}}", "{run}-{count}"])]).toEqual(["run", "count"])
  })

  it("refuses a placeholder that does not exist, and a list inside a word", () => {
    expect(() => fillTemplate(["{rum}"], { run: "" })).toThrow("There is no placeholder {rum}: use {run}")
    expect(() => fillTemplate(["x{program}"], { program: ["a"] })).toThrow("word of its own")
    expect(() => fillTemplate(["{constructor}"], { run: "" })).toThrow("no placeholder")
  })
})
