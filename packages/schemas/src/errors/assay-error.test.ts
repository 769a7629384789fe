import { describe, expect, it } from "vitest"
import { AssayError, invalidRequest, isAssayError } from "./assay-error.ts"
import { ERROR_CATALOGUE } from "./error-catalogue.ts"

describe("AssayError", () => {
  it("has the status and the retry of its code", () => {
    const error = new AssayError("unavailable", "The server starts; ask again in a second.")
    expect(error).toMatchObject({ ...pick("unavailable"), code: "unavailable", context: {}, issues: [] })
    expect(new AssayError("not_found", "Gone.")).toMatchObject(pick("not_found"))
  })

  it("keeps its cause and its context, and has no cause property without one", () => {
    const cause = new Error("socket closed")
    const error = new AssayError("upstream_failed", "The hub does not answer.", { cause, context: { host: "hub" } })
    expect(error).toMatchObject({ cause, context: { host: "hub" }, message: "The hub does not answer." })
    expect("cause" in new AssayError("internal", "A fault.")).toBe(false)
  })

  it("is recognised by its name and code, across copies of the package", () => {
    const copy = Object.assign(new Error("Gone."), { name: "AssayError", code: "not_found" })
    expect(isAssayError(copy)).toBe(true)
    expect(isAssayError(copy, "not_found")).toBe(true)
    expect(isAssayError(copy, "in_use")).toBe(false)
    expect(isAssayError(new AssayError("in_use", "In use."), "in_use")).toBe(true)
    for (const other of [
      new Error("Gone."),
      { name: "AssayError", code: "not_found" },
      "AssayError",
      null,
      undefined,
    ]) {
      expect(isAssayError(other)).toBe(false)
    }
  })
})

describe("invalidRequest", () => {
  it("has one issue with location, rule, message and input", () => {
    const error = invalidRequest(["body", "files", 0, "size"], "Input should be an integer", "int_type", "5")
    expect(error).toMatchObject({
      code: "invalid_request",
      status: 422,
      message: "body.files.0.size: Input should be an integer",
      issues: [{ loc: ["body", "files", 0, "size"], msg: "Input should be an integer", type: "int_type", input: "5" }],
    })
  })

  it("leaves out an input that may be secret, and keeps null", () => {
    expect(invalidRequest(["body", "value"], "Too short", "string_too_short").issues[0]).not.toHaveProperty("input")
    expect(invalidRequest(["body", "value"], "No string", "string_type", null).issues[0]).toHaveProperty("input", null)
  })
})

function pick(code: keyof typeof ERROR_CATALOGUE) {
  const { status, retry } = ERROR_CATALOGUE[code]
  return { status, retry }
}
