import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { Context } from "../context.ts"
import { formatBytes } from "./format-bytes.ts"
import { formatDuration } from "./format-duration.ts"
import { formatRecord } from "./format-record.ts"
import { formatTable } from "./format-table.ts"
import { paint } from "./tone.ts"
import { printable } from "./printable.ts"
import { createProgressLine, formatProgress, type Progress } from "./progress-line.ts"

describe("formatBytes", () => {
  it.each([
    [0, "0 B"],
    [1023, "1023 B"],
    [1024, "1.0 KiB"],
    [1_048_575, "1.0 MiB"],
    [35_756_441, "34.1 MiB"],
    [2 ** 53, "8.0 PiB"],
    [Number.MAX_VALUE, expect.stringMatching(/PiB$/)],
  ])("writes %d as %s", (bytes, text) => expect(formatBytes(bytes)).toEqual(text))
})

describe("formatDuration", () => {
  it.each([
    [0, "0.0 s"],
    [9_940, "9.9 s"],
    [9_999, "10 s"],
    [59_600, "1 min 00 s"],
    [185_000, "3 min 05 s"],
    [7_830_000, "2 h 10 min"],
  ])("writes %d ms as %s", (milliseconds, text) => expect(formatDuration(milliseconds)).toBe(text))
})

describe("text of others", () => {
  it("can't move the cursor of a terminal or turn the line around", () => {
    expect(printable("a\u001B[2J\nb\u202Ec")).toBe("a\\u{1b}[2J\\u{a}b\\u{202e}c")
    expect(printable("日本語 e\u0301 \u{1F4BE}")).toBe("日本語 e\u0301 \u{1F4BE}")
  })

  it("is shown so in tables and records", () => {
    expect(paint(formatTable([{ a: "x\u001B" }], [{ heading: "A", value: ({ a }) => a }]), false)).toBe("A\nx\\u{1b}\n")
    expect(formatRecord({ a: "x\u001B", long: { b: 1 } })).toBe('a     x\\u{1b}\nlong  {"b":1}\n')
  })
})

describe("a table", () => {
  it("lines its columns up", () => {
    const rows = [
      { name: "a", size: "10" },
      { name: "longer", size: "5" },
    ]
    const columns = [
      { heading: "NAME", value: ({ name }: { name: string }) => name },
      { heading: "SIZE", value: ({ size }: { size: string }) => size, align: "right" as const },
    ]
    expect(paint(formatTable(rows, columns), false)).toBe("NAME    SIZE\na         10\nlonger     5\n")
  })
})

describe("progress", () => {
  const half: Progress = {
    files: 50,
    bytes: 1_048_576,
    totalFiles: 100,
    totalBytes: 2_097_152,
    isTotalKnown: true,
    movedBytes: 1_048_576,
  }

  it("tells files, bytes, rate and time left", verifies("cli.progress"), () => {
    expect(formatProgress(half, 2000)).toBe("50 of 100 files  1.0 MiB of 2.0 MiB  512.0 KiB/s  2.0 s left")
  })

  it("says that the total still grows, and then no time left", () => {
    expect(formatProgress({ ...half, isTotalKnown: false }, 2000)).toBe(
      "50 of 100 files+  1.0 MiB of 2.0 MiB+  512.0 KiB/s",
    )
  })

  function draw(isTerminal: boolean): string[] {
    const written: string[] = []
    let time = 0
    const stderr = { write: (text: string) => written.push(text) }
    const context = { stderr, isTerminal: { stderr: isTerminal }, columns: () => 20, now: () => (time += 60) }
    const line = createProgressLine(context as unknown as Context, formatProgress)
    for (let at = 0; at < 4; at += 1) line.show(half)
    line.clear()
    return written
  }

  it("is one line on a terminal, drawn seldom, no wider than it is, and taken away", verifies("cli.progress"), () => {
    expect(draw(true)).toEqual(["\r\u001B[K50 of 100 files  1.", "\r\u001B[K50 of 100 files  1.", "\r\u001B[K"])
  })

  it("is silent elsewhere", verifies("cli.progress"), () => expect(draw(false)).toEqual([]))
})
