import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { formatTimestamp } from "./timestamp.ts"

describe("formatTimestamp", () => {
  it("writes UTC with milliseconds and Z", verifies("wire.timestamps"), () => {
    expect(formatTimestamp(Date.UTC(2026, 10, 20, 8, 14, 3, 120))).toBe("2026-11-20T08:14:03.120Z")
    expect(formatTimestamp(0)).toBe("1970-01-01T00:00:00.000Z")
  })
})
