import { CONDITIONS } from "../../errors/condition-catalogue.ts"
import type { Condition } from "../conditions/condition.ts"
import type { JobGateState } from "../decisions/gates.ts"
import type { JobStatus } from "./evaluation-job.ts"

/** The verdict of a job as a whole. */
export type JobVerdict = "PASS" | "INCONCLUSIVE" | "FAIL"

interface JudgedJob {
  readonly status: JobStatus
  readonly gates: readonly Pick<JobGateState, "verdict">[]
  readonly conditions: readonly Pick<Condition, "code">[]
  /** Rows without an answer. Default 0. */
  readonly failed?: number | undefined
}

/**
 * Returns the verdict of a job that has ended: the worst one of its gates, and not PASS if a condition puts its scores in doubt. Null for a job that has not
 * completed, and for one without gates whose scores nothing puts in doubt. A condition that passes by itself, such as a rate limit, does not count if every row
 * has its answer. Exit codes, summaries, messages of webhooks, records and pages all have this verdict.
 */
export function jobVerdict({ status, gates, conditions, failed = 0 }: JudgedJob): JobVerdict | null {
  if (status !== "COMPLETED") return null
  const verdicts = new Set(gates.map(({ verdict }) => verdict ?? "INCONCLUSIVE"))
  if (verdicts.has("FAIL")) return "FAIL"
  const isDoubtful = conditions.some(({ code }) => failed > 0 || CONDITIONS[code].retry === "never")
  if (isDoubtful || verdicts.has("INCONCLUSIVE")) return "INCONCLUSIVE"
  return verdicts.has("PASS") ? "PASS" : null
}
