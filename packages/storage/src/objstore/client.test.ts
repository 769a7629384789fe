import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { encodeKey, encodeQuery } from "./client.ts"

describe("encodeKey", () => {
  it("keeps a key unchanged", () => {
    expect(encodeKey("a//b/./c/../%41+~(é)*'!")).toBe("a//b/./c/../%2541%2B~%28%C3%A9%29%2A%27%21")
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (key) => {
        const encoded = encodeKey(key)
        expect(decodeURIComponent(encoded)).toBe(key)
        expect(encoded).toMatch(/^[\w.~/%-]*$/)
      }),
    )
  })
})

describe("encodeQuery", () => {
  it("keeps names and values apart", () => {
    expect(encodeQuery({ uploads: "", prefix: "a&b=c d" })).toBe("uploads=&prefix=a%26b%3Dc%20d")
    expect(encodeQuery({})).toBe("")
  })
})
