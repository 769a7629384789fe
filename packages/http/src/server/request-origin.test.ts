import { describe, expect, it } from "vitest"
import { parseAllowedOrigins, requestOrigin } from "./request-origin.ts"

describe("parseAllowedOrigins", () => {
  it("accepts origins as browsers write them", () => {
    const entries = ["https://a.example", "HTTP://B.example:8080", "http://[::1]:3000/", "https://c.example:8443"]
    expect([...parseAllowedOrigins(entries, "ORIGINS")]).toEqual([
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
    expect(() => parseAllowedOrigins([entry], "ORIGINS")).toThrow(/^ORIGINS has '.*', which is not an origin/)
  })
})

describe("requestOrigin", () => {
  const ALLOWED = parseAllowedOrigins(["https://console.example"], "ORIGINS")
  const from = (headers: Record<string, string>, method = "POST") =>
    requestOrigin({ method, protocol: "http", host: "Assay.example:80", headers }, ALLOWED)

  it.each([
    {},
    { origin: "http://Assay.example:80" },
    { origin: "http://assay.example" },
    { "sec-fetch-site": "same-origin" },
    { "sec-fetch-site": "none" },
  ])("%o is a program or a page of the server", (headers) => {
    expect(from(headers)).toEqual({ kind: "own" })
  })

  it.each([
    [{ origin: "https://assay.example" }, "Origin: https://assay.example"],
    [{ origin: "null", "sec-fetch-site": "same-origin" }, "Origin: null"],
    [{ "sec-fetch-site": "same-site" }, "Sec-Fetch-Site: same-site"],
  ])("%o is a page of another site", (headers, sign) => {
    expect(from(headers)).toEqual({ kind: "foreign", sign })
  })

  it("gives the CORS header fields for an allowed origin, and those of a preflight to a preflight", () => {
    const origin = "https://console.example"
    expect(from({ origin })).toMatchObject({ kind: "allowed", isPreflight: false })
    const wanted = { "access-control-request-method": "PUT", "access-control-request-headers": "authorization" }
    expect(from({ origin, ...wanted }, "OPTIONS")).toMatchObject({
      isPreflight: true,
      headers: { "access-control-allow-origin": origin, "access-control-allow-headers": "authorization" },
    })
    expect(from({ origin, ...wanted }, "PUT")).toMatchObject({ isPreflight: false })
  })
})
