import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { AssayError } from "../errors/assay-error.ts"
import { boundText, MAX_MESSAGE } from "./bound-text.ts"

const LONG = "x".repeat(20_000)

describe("a message", () => {
  it("keeps its ends and shortens the values that it quotes", verifies("errors.bounded"), () => {
    const text = boundText(`The name '${LONG}' can't be read; don't use more than 8 letters.`)
    expect(text).toMatch(/^The name 'x+…x+' can't be read; don't use more than 8 letters\.$/)
    expect(text.length).toBeLessThan(300)
    expect(boundText(`It isn't there: ${"word ".repeat(30)}it can't be.`)).toContain("word word word it can't be.")
    expect(boundText(`Start ${LONG} end.`)).toMatch(/^Start x+…x+ end\.$/)
  })

  it("is bounded and well-formed with any content", verifies("errors.bounded"), () => {
    const pieces = fc.constantFrom("'", '"', "`", " ", "; ", "😀", "\ud800", "a", "b'", "x".repeat(300))
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 200 }), (parts) => {
        const text = boundText(parts.join(""))
        expect(text.length).toBeLessThanOrEqual(MAX_MESSAGE)
        expect(text.isWellFormed()).toBe(true)
      }),
    )
    expect(boundText("'".repeat(5_000_000)).length).toBeLessThanOrEqual(MAX_MESSAGE)
  })

  it(
    "of an error is at most 4,000 characters long, wherever it is stored or printed",
    verifies("errors.bounded"),
    () => {
      const list = Array.from({ length: 1000 }, (_, index) => `tasks.t${index}: '${LONG.slice(0, 100)}' is wrong.`)
      expect(new AssayError("invalid_request", list.join(" ")).message.length).toBeLessThanOrEqual(4000)
      expect(new AssayError("not_found", `Job '${LONG}' not found; list them.`).message).toMatch(
        /^Job 'x+…x+' not found; list/,
      )
    },
  )
})
