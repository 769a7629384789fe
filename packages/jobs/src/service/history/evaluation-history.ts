import type { Registry } from "@assay/registry"
import type { JobTrend, Leaderboard } from "@assay/schemas"
import type { EvaluationBaselines } from "../evaluation-baselines.ts"
import type { JobCaller } from "../job-caller.ts"
import type { TrendQuery } from "./job-trend.ts"
import type { LeaderboardQuery } from "./leaderboard.ts"

/** The findings of the jobs of a workspace over time. */
export interface EvaluationHistory {
  /** Returns what jobs found, one after the other. @throws `not_found` for an unknown workspace or baseline */
  trend(query: TrendQuery, caller: JobCaller): Promise<JobTrend>
  /** Ranks the latest jobs over a dataset. @throws `not_found` if no job reads it; `invalid_request` for an unknown score */
  leaderboard(query: LeaderboardQuery, caller: JobCaller, signal: AbortSignal): Promise<Leaderboard>
}

/** Creates the operations. Their code is loaded with the first of them. */
export function createEvaluationHistory(registry: Registry, baselines: EvaluationBaselines): EvaluationHistory {
  let leaderboards: Promise<EvaluationHistory["leaderboard"]> | undefined
  const open = async () => {
    const { createLeaderboards } = await import("./leaderboard.ts")
    const { comparableJob } = await import("../../outputs/job-results.ts")
    return createLeaderboards({
      registry,
      open: (job, { rights }, signal) => comparableJob(job, { registry, rights, signal }),
    })
  }
  return {
    async trend(query, caller) {
      const { jobTrend } = await import("./job-trend.ts")
      return jobTrend({ registry, baselines }, query, caller)
    },
    async leaderboard(query, caller, signal) {
      const rank = await (leaderboards ??= open())
      return rank(query, caller, signal)
    },
  }
}
