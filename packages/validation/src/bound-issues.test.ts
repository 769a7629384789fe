import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { boundIssues, ECHO_LIMITS } from "./bound-issues.ts"

describe("the issues of an error", () => {
  it("contain short values unchanged and only a limited part of long ones", verifies("errors.bounded"), () => {
    const long = "x".repeat(2000)
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom(long, [long], { [long]: long }, Array(1000).fill("y")))
    const issue = fc.record({
      loc: fc.array(fc.oneof(fc.constant(long), fc.string(), fc.nat()), { minLength: 1, maxLength: 70 }),
      msg: fc.constantFrom("Must be text", `Unknown field '${long}'; it is not allowed here`),
      type: fc.constant("string_type"),
      input: value,
      ctx: fc.dictionary(fc.constantFrom("tag", "limit"), value),
    })
    fc.assert(
      fc.property(fc.array(issue, { maxLength: 120 }), (issues) => {
        const bound = boundIssues(issues)
        expect(bound.length).toBeLessThanOrEqual(ECHO_LIMITS.issues + 1)
        expect(JSON.stringify(bound).length).toBeLessThan(30_000)
        const first = issues[0]
        if (first !== undefined && JSON.stringify(first.input).length <= 100) {
          expect(bound[0]?.input).toEqual(first.input)
        }
        if (bound.length < issues.length) expect(bound.at(-1)?.type).toBe("too_many_issues")
      }),
      { numRuns: 50, endOnFailure: true },
    )
  })
})
