import { describe, expect, it } from "vitest"
import { parseJsonExactly, parseJsonWithRows } from "./parse-json-exactly.ts"

describe("JSON of records", () => {
  it("keeps the text of numbers in rows, and rounds others", () => {
    const text =
      '{"target":{"rows":[{"id":1234567890123456789,"rows":[1.50]},{"x":1.0}]},"t":1.0,"big":9007199254740993}'
    expect(JSON.stringify(parseJsonWithRows(text))).toBe(
      '{"target":{"rows":[{"id":1234567890123456789,"rows":[1.50]},{"x":1.0}]},"t":1,"big":9007199254740992}',
    )
    expect(parseJsonWithRows('{"rows":1.0,"__proto__":{"a":1.0},"list":[1.0]}')).toEqual(
      JSON.parse('{"rows":1,"__proto__":{"a":1},"list":[1]}'),
    )
  })

  it("keeps the text of all numbers where that is asked for", () => {
    expect(JSON.stringify(parseJsonExactly('{"a":[1.0,1e5,"1.0"]}'))).toBe('{"a":[1.0,1e5,"1.0"]}')
    expect(parseJsonExactly('{"a":1}')).toEqual({ a: 1 })
  })

  it("is refused if it has a number that can't be kept", () => {
    expect(() => parseJsonWithRows('{"rows":[{"a":1e400}]}')).toThrow(
      new SyntaxError("The number 1e400 can't be kept, write it as text, at position 14"),
    )
    expect(() => parseJsonExactly("[1")).toThrow(SyntaxError)
  })
})
