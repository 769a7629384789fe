import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { createFailureLimit } from "./failure-limit.ts"

describe("the limit of failures", () => {
  it("makes a client wait until its window has passed, and no other client", verifies("auth.rate-limit"), () => {
    let clock = 0
    const limit = createFailureLimit({ limit: 1, windowMs: 1000, now: () => clock })
    limit.record("a")
    expect([limit.secondsToWait("a"), limit.secondsToWait("b")]).toEqual([1, 0])
    clock = 1000
    expect(limit.secondsToWait("a")).toBe(0)
  })

  it("counts at most 10,000 clients, and drops the oldest first", verifies("auth.rate-limit"), () => {
    const limit = createFailureLimit({ limit: 1, windowMs: 1000, now: () => 0 })
    for (let client = 0; client <= 10_000; client += 1) limit.record(`${client}`)
    expect([limit.secondsToWait("0"), limit.secondsToWait("1"), limit.secondsToWait("10000")]).toEqual([0, 1, 1])
  })
})
