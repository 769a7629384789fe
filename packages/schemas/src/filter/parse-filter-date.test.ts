import * as fc from "fast-check"
import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { parseFilterDate } from "./parse-filter-date.ts"

describe("parseFilterDate", () => {
  it.each([
    ["2025-01-01", "2025-01-01T00:00:00.000Z"],
    ["2024-02-29", "2024-02-29T00:00:00.000Z"],
  ])("reads the date %s without a time as midnight UTC", verifies("filter.dates.bare"), (text, date) => {
    expect(parseFilterDate(text)).toBe(date)
  })

  it.each([
    ["2025-01-01T02:00:00+02:00", "2025-01-01T00:00:00.000Z"],
    ["2025-01-01T02:00:00 02:00", "2025-01-01T00:00:00.000Z"],
    ["2024-12-31T19:30:00-0430", "2025-01-01T00:00:00.000Z"],
    ["2025-01-01T14:00+14", "2025-01-01T00:00:00.000Z"],
    ["2025-01-01T00:00:00-00:00", "2025-01-01T00:00:00.000Z"],
  ])("converts the offset of %s", verifies("filter.dates.offset"), (text, date) => {
    expect(parseFilterDate(text)).toBe(date)
  })

  it.each([
    ["2025-01-01T08:14:03.120Z", "2025-01-01T08:14:03.120Z"],
    ["2025-01-01t08:14:03z", "2025-01-01T08:14:03.000Z"],
    ["2025-01-01 08:14:03", "2025-01-01T08:14:03.000Z"],
    ["2025-01-01T08:14", "2025-01-01T08:14:00.000Z"],
    ["2025-01-01T08:14:03.1", "2025-01-01T08:14:03.100Z"],
    ["2025-01-01T08:14:03,120999", "2025-01-01T08:14:03.120Z"],
    ["2025-01-01T08:14:03.999999999Z", "2025-01-01T08:14:03.999Z"],
  ])("reads %s as %s", (text, date) => {
    expect(parseFilterDate(text)).toBe(date)
  })

  it.each([
    "",
    "today",
    "2025",
    "2025-1-1",
    "20250101",
    "2025-02-29",
    "2025-02-30",
    "2025-13-01",
    "2025-00-10",
    "2025-01-01T24:00",
    "2025-01-01T14",
    "2025-01-01T14+00:00",
    "2025-01-01T08:60",
    "2025-01-01T08:14:60Z",
    "2025-01-01T08:14:03.",
    "2025-01-01T08:14:03+24:00",
    "2025-01-01T08:14:03+02:60",
    "2025-01-01T08:14:03 Z",
    "2025-01-01Z",
    " 2025-01-01",
    "2025-01-01\n",
    "0000-06-01",
    "0001-01-01T00:00+01:00",
    "9999-12-31T23:59-01:00",
    "+012025-01-01",
    "٢٠٢٥-01-01",
  ])("does not read %j", (text) => {
    expect(parseFilterDate(text)).toBeUndefined()
  })

  it("reads every timestamp of a record as the same moment", () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
        (date) => {
          expect(parseFilterDate(date.toISOString())).toBe(date.toISOString())
        },
      ),
    )
  })
})
