import type { FailedCheck } from "./failed-check.ts"

/** What the checks of a launch found. The job can be launched where nothing failed, whatever the warnings. */
export interface LaunchReport {
  readonly failed: readonly FailedCheck[]
  readonly warnings: readonly FailedCheck[]
}

export function joinReports(reports: readonly LaunchReport[]): LaunchReport {
  return { failed: reports.flatMap(({ failed }) => failed), warnings: reports.flatMap(({ warnings }) => warnings) }
}
