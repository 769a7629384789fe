import { describe, expect, it } from "vitest"
import { parseAllowedOrigins } from "./request-origin.ts"

describe("parseAllowedOrigins", () => {
  it("accepts origins as browsers write them", () => {
    const entries = ["https://a.example", "HTTP://B.example:8080", "http://[::1]:3000/", "https://c.example:8443"]
    expect([...parseAllowedOrigins(entries)]).toEqual([
      "https://a.example",
      "http://b.example:8080",
      "http://[::1]:3000",
      "https://c.example:8443",
    ])
  })

  it.each([
    "*",
    "null",
    "a.example",
    "https://a.example/path",
    "https://*.example",
    "https://u:p@a.example",
    "file:///",
  ])("refuses '%s', which matches several origins or none", (entry) => {
    expect(() => parseAllowedOrigins([entry])).toThrow(/ASSAY_ALLOWED_ORIGINS has '.*', which is not an origin/)
  })
})
