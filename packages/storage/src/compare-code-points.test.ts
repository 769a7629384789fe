import * as fc from "fast-check"
import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { compareCodePoints } from "./compare-code-points.ts"

describe("compareCodePoints", () => {
  it("orders texts like their UTF-8 bytes", verifies("files.list.order"), () => {
    const text = fc.string({ unit: fc.constantFrom("a", "/", "-", "é", "\uffee", "\ue000", "\u{1f600}", "\u{10000}") })
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ unit: "binary" })), text, (a, b) => {
        const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b))
        return !a.isWellFormed() || Math.sign(compareCodePoints(a, b)) === bytes
      }),
      { numRuns: 2000 },
    )
  })

  it("puts characters above U+FFFF last, unlike the order of UTF-16", () => {
    expect(["\u{1f600}", "\uffee"].toSorted(compareCodePoints)).toEqual(["\uffee", "\u{1f600}"])
    expect(["\u{1f600}", "\uffee"].toSorted()).toEqual(["\u{1f600}", "\uffee"])
  })
})
