import type { JobStatus } from "@assay/schemas"
import { expect, it } from "vitest"
import { mainWay, resumeLabel, waysToContinue } from "./ways-to-continue.ts"

it.each<[JobStatus, number, number | null, number, string]>([
  ["FAILED", 60, 60, 60, "retryFailed"],
  ["CANCELLED", 60, 60, 2, "retryFailed"],
  ["FAILED", 20, 60, 3, "resume"],
  ["FAILED", 20, null, 3, "resume"],
  ["CANCELLED", 20, 60, 3, "resume"],
  ["FAILED", 60, 60, 0, "resume"],
  ["FAILED", 0, null, 0, "resume"],
  ["COMPLETED", 60, 60, 3, "retryFailed"],
  ["COMPLETED", 60, 60, 0, ""],
  ["RUNNING", 20, 60, 3, ""],
])("a %s job with %i of %s rows, of which %i failed, offers: %s", (status, done, total, failed, expected) => {
  const status_details = { message: "", samples_processed: done, samples_total: total, samples_failed: failed }
  const ways = waysToContinue({ status, status_details: status_details as never, conditions: [] })
  expect(Object.entries(ways).flatMap(([name, isOffered]) => (isOffered ? [name] : []))).toEqual(
    expected.split(" ").filter((name) => name !== ""),
  )
})

it("a job whose metrics scored none of its rows is not resumed, because it would ask nothing and end as before", () => {
  const status_details = { message: "", samples_processed: 2, samples_total: 2, samples_failed: 0 } as never
  const conditions = [{ code: "nothing_scored" }] as never
  expect(waysToContinue({ status: "FAILED", status_details, conditions })).toEqual({
    resume: false,
    retryFailed: false,
  })
})

it("a job with failed rows is resumed by a button that says that they are asked again", () => {
  const labels = [3, 0].map((samples_failed) =>
    resumeLabel({ status_details: { message: "", samples_failed } as never }),
  )
  expect(labels).toEqual(["Resume with failed rows", "Resume"])
})

it.each([
  ["COMPLETED", 0, "rate_limited", "rows"],
  ["COMPLETED", 3, "rate_limited", "retryFailed"],
  ["FAILED", 3, "inference_unreachable", "resume"],
  ["FAILED", 3, "model_not_found", "change"],
] as const)("the main way of a job that is %s with %i failed rows and has %s is %s", (status, failed, code, way) => {
  const status_details = { samples_processed: 4, samples_total: status === "COMPLETED" ? 4 : 9, samples_failed: failed }
  expect(mainWay({ status, status_details, conditions: [] } as never, code)).toBe(way)
})
