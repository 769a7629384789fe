import * as fc from "fast-check"
import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { ByteRange } from "./byte-range.ts"
import { formatRange } from "./format-range.ts"
import { parseRangeHeader } from "./parse-range-header.ts"

describe("parseRangeHeader", () => {
  it.each<[string, ByteRange]>([
    ["bytes=0-4", { kind: "from", start: 0, end: 4 }],
    ["bytes=7-", { kind: "from", start: 7 }],
    ["bytes=-3", { kind: "suffix", length: 3 }],
    ["bytes=-0", { kind: "suffix", length: 0 }],
    ["Bytes= 0-4 ", { kind: "from", start: 0, end: 4 }],
    ["bytes=0-4,", { kind: "from", start: 0, end: 4 }],
    ["bytes=5-99999999999999999999", { kind: "from", start: 5, end: Number.MAX_SAFE_INTEGER }],
  ])("reads %j", verifies("files.download.range"), (header, range) => {
    expect(parseRangeHeader(header)).toEqual(range)
  })

  it.each([undefined, "", "items=0-4", "bytesx=0-4", "x-bytes=0-4", "0-4"])(
    "ignores %j, which has another unit or none",
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
  ])("finds %j malformed", verifies("files.download.range-unreadable"), (header) => {
    expect(parseRangeHeader(header)).toEqual({ kind: "malformed", header })
  })

  it("finds an inverted range malformed", verifies("files.download.range-inverted"), () => {
    expect(parseRangeHeader("bytes=5-4")).toEqual({ kind: "malformed", header: "bytes=5-4" })
  })

  it("reads back every range that is formatted", () => {
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
