import { describe, expect, it } from "vitest"
import { exitCodeOfRun } from "./run-end.ts"

describe("the exit code of a run", () => {
  const end = { status: "COMPLETED", gates: [] } as const

  it("is 0 if a rate limit only delayed the run and every row was answered", () =>
    expect(exitCodeOfRun({ ...end, conditions: [{ code: "rate_limited" }] })).toBe(0))

  it("is 3 if a rate limit cost rows", () =>
    expect(exitCodeOfRun({ ...end, conditions: [{ code: "rate_limited" }], failed: 1 })).toBe(3))

  it("is 3 if a condition puts given answers in doubt", () =>
    expect(exitCodeOfRun({ ...end, conditions: [{ code: "empty_answers" }] })).toBe(3))

  it("is 1 if the job failed, with any conditions", () =>
    expect(exitCodeOfRun({ ...end, status: "FAILED", conditions: [{ code: "rate_limited" }] })).toBe(1))
})
