import { describe, expect, it } from "vitest"
import { parsePythonJson } from "./read-checkpoint-file.ts"

describe("JSON as Python writes it", () => {
  it("has words for numbers that become null, outside of texts alone", () => {
    const text = '{"a": [0.0, Infinity, -Infinity, NaN], "b": "NaN \\" Infinity"}'
    expect(parsePythonJson(text)).toEqual({ a: [0, null, null, null], b: 'NaN " Infinity' })
  })

  it("is refused where it is broken otherwise", () => {
    expect(() => parsePythonJson('{"a": nan}')).toThrow(SyntaxError)
    expect(() => parsePythonJson('{"a": NaN')).toThrow(SyntaxError)
  })
})
