import { AssayError, invalidRequest } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { hubErrorCode, hubErrorMessage } from "./hub-error.ts"

const REQUEST = { hasToken: true, isOfRepository: true }
const missing = (context: Record<string, unknown>) => new AssayError("not_found", "Not found", { context })

describe("an error for clients of the hub", () => {
  it("has the hub's code for what is missing", () => {
    const codes = [{ workspace: "a", path: "b", revision: "c" }, { workspace: "a", path: "b" }, { workspace: "a" }, {}]
    expect(codes.map((context) => hubErrorCode(missing(context), REQUEST))).toEqual([
      "RevisionNotFound",
      "EntryNotFound",
      "RepoNotFound",
      undefined,
    ])
  })

  it("without a token makes private and missing repositories look the same", () => {
    const refused = new AssayError("unauthorized", "This server needs a token")
    expect(hubErrorCode(refused, { ...REQUEST, hasToken: false })).toBe("RepoNotFound")
    expect(hubErrorCode(refused, { hasToken: false, isOfRepository: false })).toBeUndefined()
    expect(hubErrorCode(refused, REQUEST)).toBeUndefined()
    expect(hubErrorMessage(refused, REQUEST)).toBe("Invalid credentials in Authorization header")
  })

  it("has the first issue as its message, with a limited length", () => {
    const fault = invalidRequest(["body", "name"], "Must be string", "string_type")
    expect(hubErrorMessage(fault, REQUEST)).toBe("body.name: Must be string")
    const long = invalidRequest(["body", "x".repeat(5000)], "Must be string", "string_type")
    expect(hubErrorMessage(long, REQUEST).length).toBeLessThan(500)
  })
})
