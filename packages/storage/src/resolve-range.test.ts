import * as fc from "fast-check"
import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { parseRangeHeader } from "./parse-range-header.ts"
import { resolveRange } from "./resolve-range.ts"

describe("resolveRange", () => {
  it("names the bytes that a slice would give, or fails where there is none", () => {
    const header = fc.oneof(
      fc.tuple(fc.nat(30), fc.nat(30)).map(([a, b]) => `bytes=${Math.min(a, b)}-${Math.max(a, b)}`),
      fc.nat(30).map((start) => `bytes=${start}-`),
      fc.nat(30).map((length) => `bytes=-${length}`),
    )
    fc.assert(
      fc.property(header, fc.nat(20), (text, size) => {
        const [first = "", last = ""] = text.slice("bytes=".length).split("-")
        const bytes = [...Array(size).keys()]
        const expected =
          first === ""
            ? bytes.slice(Math.max(0, size - Number(last)))
            : bytes.slice(Number(first), last === "" ? size : Number(last) + 1)
        const range = parseRangeHeader(text)
        if (range === undefined) throw new Error(`${text} is not read`)
        if (expected.length === 0) expect(() => resolveRange(range, size)).toThrow(`Invalid range: ${text}`)
        else expect(resolveRange(range, size)).toEqual({ start: expected[0], end: expected.at(-1) })
      }),
    )
  })

  it("tells the size with its error", verifies("files.download.range-past-end"), () => {
    expect(() => resolveRange({ kind: "from", start: 5 }, 5)).toThrow(
      expect.objectContaining({ code: "range_not_satisfiable", context: { size: 5 } }),
    )
  })
})
