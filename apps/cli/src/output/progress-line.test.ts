import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import type { Context } from "../context.ts"
import { createProgressLine, formatProgress, type Progress } from "./progress-line.ts"

describe("the progress line", () => {
  const half: Progress = {
    files: 50,
    bytes: 1_048_576,
    totalFiles: 100,
    totalBytes: 2_097_152,
    isTotalKnown: true,
    movedBytes: 1_048_576,
  }

  it("shows files, bytes, rate and remaining time", verifies("cli.progress"), () => {
    expect(formatProgress(half, 2000)).toBe("50 of 100 files  1.0 MiB of 2.0 MiB  512.0 KiB/s  2.0 s left")
  })

  it("marks a total that still grows, and shows no remaining time", () => {
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

  it(
    "is one line on a terminal that is drawn at intervals, fits the width, and is removed",
    verifies("cli.progress"),
    () => {
      expect(draw(true)).toEqual(["\r\u001B[K50 of 100 files  1.", "\r\u001B[K50 of 100 files  1.", "\r\u001B[K"])
    },
  )

  it("prints nothing without a terminal", verifies("cli.progress"), () => expect(draw(false)).toEqual([]))
})
