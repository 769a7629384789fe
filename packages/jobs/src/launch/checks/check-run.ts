import type { AssayError, LaunchCheckProgress } from "@assay/schemas"
import { failedCheck, type FailedCheck, type LaunchCheck, type LaunchReport } from "./launch-report.ts"

/** Runs the checks of one launch with a time limit for each. */
export interface CheckRun {
  /** The time limit of each check, in milliseconds. */
  readonly limitMs: number
  /**
   * Runs a check. It fails at the time limit, even if its work ignores the signal.
   * @throws only the reason of the launch's signal
   */
  run<T>(
    check: LaunchCheck,
    work: (signal: AbortSignal) => Promise<T>,
    tooSlow: () => AssayError,
  ): Promise<CheckOutcome<T>>
  /**
   * Announces that a check begins. The caller passes its report to the returned function when the check has ended, and gets it back.
   * @param places what is checked, as places of the body
   */
  begin(check: LaunchCheck, places: readonly string[]): <Report extends LaunchReport>(report: Report) => Report
}

/** Is called when a check begins and when it has ended. */
export type OnCheck = (progress: LaunchCheckProgress) => void

export type CheckOutcome<T> = { readonly value: T } | { readonly failed: FailedCheck }

export function createCheckRun(limitMs: number, signal: AbortSignal, onCheck?: OnCheck): CheckRun {
  return {
    limitMs,
    begin(check, places) {
      const announce = (status: LaunchCheckProgress["status"], { failed, warnings }: LaunchReport) =>
        onCheck?.({ check, places: [...places], status, failed_checks: [...failed], warnings: [...warnings] })
      announce("running", { failed: [], warnings: [] })
      return (report) => {
        announce(report.failed.length > 0 ? "failed" : report.warnings.length > 0 ? "warned" : "passed", report)
        return report
      }
    },
    async run(check, work, tooSlow) {
      signal.throwIfAborted()
      const limit = new AbortController()
      const ending = AbortSignal.any([signal, limit.signal])
      const timer = setTimeout(() => limit.abort(tooSlow()), limitMs)
      const stopped = Promise.withResolvers<never>()
      const stop = () => stopped.reject(ending.reason)
      ending.addEventListener("abort", stop, { once: true })
      try {
        return { value: await Promise.race([work(ending), stopped.promise]) }
      } catch (error) {
        signal.throwIfAborted()
        return { failed: failedCheck(check, limit.signal.aborted ? limit.signal.reason : error) }
      } finally {
        clearTimeout(timer)
        ending.removeEventListener("abort", stop)
      }
    },
  }
}

export function formatLimit(limitMs: number): string {
  return limitMs < 1000 ? `${limitMs} ms` : `${limitMs / 1000} s`
}
