import { expect, it } from "vitest"
import type { JobStatus } from "./evaluation-job.ts"
import { jobVerdict } from "./job-verdict.ts"

const of = (
  gates: readonly ("PASS" | "FAIL" | "INCONCLUSIVE" | null)[],
  more: Partial<Parameters<typeof jobVerdict>[0]> & { readonly status?: JobStatus } = {},
) => jobVerdict({ status: "COMPLETED", gates: gates.map((verdict) => ({ verdict })), conditions: [], ...more })

it("the verdict of a job is the worst of its gates, and a gate without a verdict decides nothing", () => {
  expect([of(["PASS", "PASS"]), of(["PASS", null]), of(["INCONCLUSIVE", "FAIL"])]).toEqual([
    "PASS",
    "INCONCLUSIVE",
    "FAIL",
  ])
  expect([of([]), of(["PASS"], { status: "FAILED" }), of(["FAIL"], { status: "CANCELLED" })]).toEqual([
    null,
    null,
    null,
  ])
})

it("a condition that puts the scores in doubt makes a job INCONCLUSIVE, and one that has passed does not", () => {
  const conditions = [{ code: "judge_output_unreadable" }] as const
  expect([of([], { conditions }), of(["PASS"], { conditions }), of(["FAIL"], { conditions })]).toEqual([
    "INCONCLUSIVE",
    "INCONCLUSIVE",
    "FAIL",
  ])
  const passing = { conditions: [{ code: "rate_limited" }] } as const
  expect([of(["PASS"], passing), of(["PASS"], { ...passing, failed: 1 })]).toEqual(["PASS", "INCONCLUSIVE"])
})
