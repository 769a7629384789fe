import { verifies } from "@assay/testkit"
import { describe, expect, it } from "vitest"
import { JOB_STATUSES, type JobStatus } from "./evaluation-job.ts"
import {
  FINAL_JOB_STATUSES,
  JOB_TRANSITIONS,
  checkTransition,
  isFinalJobStatus,
  jobStatusesOf,
  vendorJobStatus,
} from "./job-statuses.ts"

const LEGAL = new Set([
  "CREATED>PENDING",
  "CREATED>RUNNING",
  "CREATED>CANCELLED",
  "CREATED>FAILED",
  "PENDING>RUNNING",
  "PENDING>CANCELLED",
  "PENDING>FAILED",
  "RUNNING>COMPLETED",
  "RUNNING>FAILED",
  "RUNNING>CANCELLING",
  "RUNNING>UNAVAILABLE",
  "CANCELLING>CANCELLED",
  "CANCELLED>PENDING",
  "COMPLETED>PENDING",
  "FAILED>PENDING",
  "UNAVAILABLE>RUNNING",
  "UNAVAILABLE>FAILED",
])

const isAllowed = (from: JobStatus, to: JobStatus) => {
  try {
    checkTransition(from, to)
    return true
  } catch {
    return false
  }
}

describe("the transitions of a job", () => {
  const pairs = JOB_STATUSES.flatMap((from) => JOB_STATUSES.map((to) => [from, to] as const))

  it.each(pairs)("from %s to %s follow the contract", verifies("eval.transitions"), (from, to) => {
    expect(isAllowed(from, to)).toBe(LEGAL.has(`${from}>${to}`))
  })

  it("are refused with both statuses and the possible ones", verifies("eval.transitions"), () => {
    expect(() => checkTransition("CANCELLING", "COMPLETED")).toThrow(
      expect.objectContaining({
        code: "illegal_transition",
        message: "A job that is CANCELLING can't become COMPLETED; it can become CANCELLED.",
      }),
    )
    expect(() => checkTransition("CANCELLED", "RUNNING")).toThrow("it can become PENDING")
  })

  it("leave a final status only to PENDING", () => {
    for (const status of FINAL_JOB_STATUSES) {
      expect(JOB_TRANSITIONS[status].every((next) => next === "PENDING")).toBe(true)
    }
    expect(JOB_STATUSES.filter(isFinalJobStatus)).toEqual(["CANCELLED", "COMPLETED", "FAILED"])
  })
})

describe("words for the status of a job", () => {
  it(
    "are in lower case for clients of the first version, with one word for all waiting jobs",
    verifies("eval.wire-words"),
    () => {
      expect(JOB_STATUSES.map(vendorJobStatus)).toEqual([
        "created",
        "created",
        "running",
        "cancelling",
        "cancelled",
        "completed",
        "failed",
        "unavailable",
      ])
    },
  )

  it.each([
    ["COMPLETED", ["COMPLETED"]],
    ["completed", ["COMPLETED"]],
    ["created", ["CREATED", "PENDING"]],
    ["Pending", ["PENDING"]],
    ["done", []],
  ])("are read in any case: %s", (word, statuses) => {
    expect(jobStatusesOf(word)).toEqual(statuses)
  })
})
