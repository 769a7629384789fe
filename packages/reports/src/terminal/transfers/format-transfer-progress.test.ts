import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { formatTransferProgress } from "./format-transfer-progress.ts"

describe("the progress of a transfer", () => {
  const half = {
    files: 50,
    bytes: 1_048_576,
    totalFiles: 100,
    totalBytes: 2_097_152,
    isTotalKnown: true,
    movedBytes: 1_048_576,
  }

  it("shows files, bytes, rate and remaining time", verifies("cli.progress"), () => {
    expect(formatTransferProgress(half, 2000)).toBe("50 of 100 files  1.0 MiB of 2.0 MiB  512.0 KiB/s  2.0 s left")
  })

  it("marks a total that still grows, and shows no remaining time", () => {
    expect(formatTransferProgress({ ...half, isTotalKnown: false }, 2000)).toBe(
      "50 of 100 files+  1.0 MiB of 2.0 MiB+  512.0 KiB/s",
    )
  })
})
