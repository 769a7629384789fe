import { describe, expect, it } from "vitest"
import { parsePythonJson } from "./read-checkpoint-file.ts"

describe("JSON written by Python", () => {
  it("has words for numbers that become null, but not inside strings", () => {
    const text = '{"a": [0.0, Infinity, -Infinity, NaN], "b": "NaN \\" Infinity"}'
    expect(parsePythonJson(text)).toEqual({ a: [0, null, null, null], b: 'NaN " Infinity' })
  })

  it("is refused if it is invalid otherwise", () => {
    expect(() => parsePythonJson('{"a": nan}')).toThrow(SyntaxError)
    expect(() => parsePythonJson('{"a": NaN')).toThrow(SyntaxError)
  })
})
