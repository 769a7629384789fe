import { describe, expect, it } from "vitest"
import { parseFormBody, parseJsonBody } from "./request-bodies.ts"

const invalid = expect.objectContaining({ code: "invalid_request" })

describe("parseJsonBody", () => {
  it("returns undefined for an empty body", () => {
    expect(parseJsonBody("")).toBeUndefined()
  })

  it.each([
    ['{"value":"s3cret" oops}', 18],
    ['{"value": s3cret}', 17],
  ])("reports the error of %s without the text around it", (text, position) => {
    try {
      parseJsonBody(text)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ issues: [{ loc: ["body", position], type: "json_invalid" }] })
      expect(JSON.stringify((error as { issues: unknown }).issues)).not.toContain("s3cret")
    }
  })

  it("refuses an object with a key twice, because one of the values would be lost", () => {
    const msg = "The key 'gates' is twice in one object; keep one value of it"
    expect(() => parseJsonBody('{"config":{"gates":[1],"gates":[]}}')).toThrow(
      expect.objectContaining({ issues: [{ loc: ["body", 23], msg, type: "json_invalid" }] }),
    )
    expect(parseJsonBody('{"rows":[{"a":1},{"a":2}]}')).toEqual({ rows: [{ a: 1 }, { a: 2 }] })
  })

  it("refuses JSON that is too deep before it parses it", () => {
    expect(() => parseJsonBody("[".repeat(100_000))).toThrow(invalid)
  })
})

describe("parseFormBody", () => {
  it("returns a list for a field that occurs more than once, and text for others", () => {
    expect(parseFormBody("a=1&b=x+y&a=2&a=%C3%A9")).toEqual({ a: ["1", "2", "é"], b: "x y" })
  })

  it("accepts 10,000 fields and refuses more", () => {
    const form = (fields: number) => Array.from({ length: fields }, (_, n) => `k${n}=1`).join("&")
    expect(Object.keys(parseFormBody(form(10_000)))).toHaveLength(10_000)
    expect(() => parseFormBody(form(10_001))).toThrow(invalid)
  })
})
