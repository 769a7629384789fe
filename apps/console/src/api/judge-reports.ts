import type { EvaluationJob } from "@assay/schemas"

/** The files in which jobs keep the report of their judges, by the type of their configuration: those that calibrate, or measure one guardrail. */
export const JUDGE_REPORTS: Readonly<Record<string, string>> = {
  calibration: "results/report.json",
  content_safety: "results/guardrail.json",
}

/** Returns whether a job has a calibration report among its results. */
export function hasJudgeReport({ config, result }: Pick<EvaluationJob, "config" | "result">): boolean {
  return Object.hasOwn(JUDGE_REPORTS, config.type) && result !== null
}
