import { assert, jsonValue, property } from "fast-check"
import { describe, expect, it } from "vitest"
import { isJsonEqual } from "./is-json-equal.ts"
import { parseJsonPath, readJsonPath } from "./json-path.ts"

const VALUE = { a: { b: [10, { c: null }], "x y": 1 }, "0": "zero" }

describe("equality of JSON", () => {
  it.each([
    [{ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }, true],
    [[1, 2], [2, 1], false],
    [{ a: 1 }, { a: 1, b: null }, false],
    [1, "1", false],
    [null, {}, false],
    [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":2}'), false],
  ])("of %j and %j is %s", (left, right, isEqual) => {
    expect(isJsonEqual(left, right)).toBe(isEqual)
  })

  it("is true for a value that was written and parsed again", () => {
    assert(property(jsonValue(), (value) => isJsonEqual(value, JSON.parse(JSON.stringify(value)))))
  })

  it("refuses values that are nested too deeply", () => {
    const deep: unknown = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`)
    expect(() => isJsonEqual(deep, [])).toThrow(expect.objectContaining({ code: "invalid_request" }))
  })
})

describe("a JSON path", () => {
  it.each([
    ["$", VALUE],
    ["$.a.b[0]", 10],
    ["a.b[0]", 10],
    ["a.b[-1].c", null],
    ["$['a']['x y']", 1],
    ['$["a"].b[1]', { c: null }],
    ["$['0']", "zero"],
    ["0", "zero"],
    ["a.b[7]", undefined],
    ["a.b.length", undefined],
    ["constructor", undefined],
    ["a.b[0].c", undefined],
  ])("%s finds %j", (path, found) => {
    expect(readJsonPath(VALUE, parseJsonPath(path))).toEqual(found)
  })

  it.each([
    ["", 0],
    ["a..b", 1],
    ["a[", 1],
    ["a[x]", 1],
    ["$a", 1],
    ["a.b ", 3],
    ["$.*[?(@.a)]", 3],
  ])("refuses %j at position %d", (path, position) => {
    expect(() => parseJsonPath(path)).toThrow(
      expect.objectContaining({
        code: "invalid_request",
        message: `json_path: '${path}' can't be read at position ${position}; write a path to one value, like $.a.b[0] or a.b.`,
      }),
    )
  })
})
