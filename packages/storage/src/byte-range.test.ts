import { verifies } from "@assay/testkit"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { formatRange, parseRangeHeader, resolveRange, type ByteRange } from "./byte-range.ts"

describe("parseRangeHeader", () => {
  it.each<[string, ByteRange]>([
    ["bytes=0-4", { kind: "from", start: 0, end: 4 }],
    ["bytes=7-", { kind: "from", start: 7 }],
    ["bytes=-3", { kind: "suffix", length: 3 }],
    ["bytes=-0", { kind: "suffix", length: 0 }],
    ["Bytes= 0-4 ", { kind: "from", start: 0, end: 4 }],
    ["bytes=0-4,", { kind: "from", start: 0, end: 4 }],
    ["bytes=99999999999999999999999-", { kind: "malformed", header: "bytes=99999999999999999999999-" }],
    ["bytes=5-99999999999999999999", { kind: "from", start: 5, end: Number.MAX_SAFE_INTEGER }],
  ])("reads %j", verifies("files.download.range"), (header, range) => {
    expect(parseRangeHeader(header)).toEqual(range)
  })

  it.each([undefined, "", "items=0-4", "bytesx=0-4", "x-bytes=0-4", "0-4"])(
    "ignores %j, which has another unit or no unit",
    verifies("files.download.other-unit"),
    (header) => {
      expect(parseRangeHeader(header)).toBeUndefined()
    },
  )

  it.each(["bytes=0-1,3-4", "bytes=0-1, -5", "bytes=-1,,2-"])(
    "ignores %j, which has several ranges",
    verifies("files.download.several-ranges"),
    (header) => {
      expect(parseRangeHeader(header)).toBeUndefined()
    },
  )

  it.each([
    "bytes",
    "bytes=",
    "bytes=,",
    "bytes 0-4",
    "bytes=a-b",
    "bytes=-",
    "bytes=--1",
    "bytes=0-1,x",
    "bytes=1.5-2",
    "bytes: 0-4",
  ])("returns a malformed range for %j", verifies("files.download.range-unreadable"), (header) => {
    expect(parseRangeHeader(header)).toEqual({ kind: "malformed", header })
  })

  it("returns a malformed range if it is inverted", verifies("files.download.range-inverted"), () => {
    expect(parseRangeHeader("bytes=5-4")).toEqual({ kind: "malformed", header: "bytes=5-4" })
  })

  it("reads every formatted range back", () => {
    const range = fc.oneof(
      fc.record({ kind: fc.constant("from" as const), start: fc.nat() }),
      fc.record({ kind: fc.constant("suffix" as const), length: fc.nat() }),
      fc.tuple(fc.nat(), fc.nat()).map(([start, more]) => ({ kind: "from" as const, start, end: start + more })),
    )
    fc.assert(
      fc.property(range, (one) => {
        expect(parseRangeHeader(formatRange(one))).toEqual(one)
      }),
    )
  })
})

describe("resolveRange", () => {
  it("returns the bytes that a slice would give, or fails if there are none", () => {
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

  it("adds the size of the file to its error", verifies("files.download.range-past-end"), () => {
    expect(() => resolveRange({ kind: "from", start: 5 }, 5)).toThrow(
      expect.objectContaining({ code: "range_not_satisfiable", context: { size: 5 } }),
    )
  })
})
