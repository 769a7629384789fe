import type { RowProfile, RowReport } from "@assay/schemas"
import { describe, expect, it } from "vitest"
import { paint } from "../tone.ts"
import { formatRowFault } from "./format-row-fault.ts"
import { formatRowProfile } from "./format-row-profile.ts"
import { formatRowReport } from "./format-row-report.ts"
import { formatRowsProgress } from "./format-rows-progress.ts"

const nameOf = (path: string) => `./reviews/${path}`

describe("a fault of a row", () => {
  const fault = { row_index: 2, line: 4, offset: 31, pointer: "/score", message: "must be number" }

  it("begins with its location, which editors can open", () => {
    expect(formatRowFault("a.csv", fault)).toBe("a.csv:4:31 /score must be number")
  })

  it("in Parquet has the index of the row, because there are no lines", () => {
    const location = { line: null, offset: null, pointer: "" }
    expect(formatRowFault("a.parquet", { ...fault, ...location })).toBe("a.parquet:row 2 must be number")
  })
})

describe("a report of rows", () => {
  const issue = { row_index: 1, line: 3, offset: 26, pointer: "/score", message: "must be number", schema: "schema" }
  const file = { path: "a.csv", rows: 3, invalid: 1, schema: "schema", issues: [issue], issues_truncated: true }
  const report = { rows: 3, invalid: 1, files: [file], without_schema: ["b.csv"] } as unknown as RowReport

  it("has counts per file, a line per issue, and a summary", () => {
    expect(paint(formatRowReport(report, nameOf), false).split("\n")).toEqual([
      "FILE             ROWS  INVALID  SCHEMA",
      "./reviews/a.csv     3        1  schema",
      "",
      "./reviews/a.csv:3:26 /score must be number",
      "./reviews/a.csv: there are more issues; --max-issues lists more of each file",
      "",
      "1 of 3 rows in 1 file is invalid; there is no schema for 1 file",
      "",
    ])
  })

  it("says that there are no rows", () => {
    const empty = { rows: 0, invalid: 0, files: [{ ...file, rows: 0, invalid: 0, issues: [] }], without_schema: [] }
    expect(formatRowReport(empty as unknown as RowReport, nameOf)).toMatch(/\nthere are no rows in 1 file\n$/)
  })
})

describe("a profile of rows", () => {
  const column = {
    pointer: "/score",
    types: { number: 1200, null: 1 },
    missing: 0,
    distinct: 1001,
    estimated: true,
    min: 0.123456,
    max: 5,
    lengths: null,
    top: [{ value: "a value that is far too long to be shown", count: 7 }],
  }
  const files = [{ path: "a.csv", rows: 1201, unreadable: 0 }]
  const profile = { files, columns: [column], columns_truncated: true } as unknown as RowProfile

  it("has a line per column, with estimates marked and long values cut", () => {
    const lines = paint(formatRowProfile(profile, nameOf), false).split("\n")
    expect(lines[4]).toMatch(/^\/score +number 1,200, null 1 +0 +~1,001 +0\.1235 to 5 +"a value that is far to… ~7$/)
    expect(lines.at(-2)).toBe("more columns are not shown")
  })
})

describe("the progress of reading rows", () => {
  it("shows rows, bytes, rate and remaining time", () => {
    expect(formatRowsProgress({ rows: 1, bytes: 4096, bytesDone: 1024 }, 1000)).toBe(
      "1 row  1.0 KiB of 4.0 KiB  1.0 KiB/s  3.0 s left",
    )
  })
})
