import { verifies } from "@assay/testkit/verifies"
import { describe, expect, it } from "vitest"
import { JOB_STATUSES } from "./evaluation-job.ts"
import { jobStatusesOf, vendorJobStatus } from "./evaluation-words.ts"

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
