import { describeFailure } from "@assay/inference"
import { AssayError, ERROR_CATALOGUE, type ErrorCode, isAssayError, type LaunchCheckProgress } from "@assay/schemas"
import { conditionFunctions } from "@assay/results"

export const LAUNCH_CHECKS = [
  "shape",
  "fields",
  "dataset",
  "rows",
  "baseline",
  "labels",
  "budget",
  "endpoint",
  "judge_format",
  "results",
] as const

/**
 * `shape`: target and configuration fit, templates compile. `fields`: rows have the fields that templates read. `dataset`: it exists.
 * `rows`: the first rows are valid. `baseline`: results that gates compare with exist. `labels`: labels that metrics name can be read. `budget`: the workspace has something left. `endpoint`: it answers. `judge_format`: a judge keeps its format. `results`: they can be written.
 */
export type LaunchCheck = (typeof LAUNCH_CHECKS)[number]

/** A failed check, in the words of the catalogue. */
export interface FailedCheck {
  readonly check: LaunchCheck
  readonly code: ErrorCode
  readonly message: string
  readonly remedy: string
}

/** Returns the report of a check that threw. Advice for this case precedes the remedy of the catalogue. */
export function failedCheck(check: LaunchCheck, error: unknown): FailedCheck {
  const { code, message, remedy: general } = describeFailure(error)
  const remedy = remedyOf(error) ?? general
  return { check, code, message: withoutAdvice(message, remedy), remedy }
}

/** Removes the advice at the end of a message if the remedy, which is shown below it, begins with it. */
function withoutAdvice(message: string, remedy: string): string {
  const earliest = message.length - remedy.length - "; .".length
  for (let at = message.lastIndexOf("; "); at > 0 && at >= earliest; at = message.lastIndexOf("; ", at - 1)) {
    const advice = message.slice(at + 2).replace(/\.$/, "")
    if (remedy.toLowerCase().startsWith(advice.toLowerCase())) return `${message.slice(0, at)}.`
  }
  return message
}

function remedyOf(error: unknown): string | undefined {
  if (!isAssayError(error)) return undefined
  const { code, context } = error
  if (typeof context["remedy"] === "string") return context["remedy"]
  // The remedy of the catalogue is about answers that list the locations separately.
  if (code === "invalid_request") return "Correct what the message names."
  const found = conditionFunctions.ofError(error)
  if (found?.code !== code || found.advice === undefined) return undefined
  return found.isAdviceAll === true ? found.advice : `${found.advice} ${ERROR_CATALOGUE[code].remedy}`
}

/** The report of all checks. Without failed checks the job can be launched, with or without warnings. */
export interface LaunchReport {
  readonly failed: readonly FailedCheck[]
  readonly warnings: readonly FailedCheck[]
}

export function joinReports(reports: readonly LaunchReport[]): LaunchReport {
  return { failed: reports.flatMap(({ failed }) => failed), warnings: reports.flatMap(({ warnings }) => warnings) }
}

/** Returns the error of a launch with failed checks. Its context has all of them as `failed_checks`. */
export function launchRefused(failed: readonly FailedCheck[]): AssayError {
  const count = failed.length === 1 ? "a check failed" : `${failed.length} checks failed`
  const each = failed.map(({ check, message }) => `${check}: ${message}`).join(" ")
  return new AssayError("launch_refused", `Job cannot be launched: ${count}. ${each}`, {
    context: { failed_checks: failed },
  })
}

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
   * @param locations what is checked, as locations of the body
   */
  begin(check: LaunchCheck, locations: readonly string[]): <Report extends LaunchReport>(report: Report) => Report
}

/** Is called when a check begins and when it has ended. */
export type OnCheck = (progress: LaunchCheckProgress) => void

export type CheckOutcome<T> = { readonly value: T } | { readonly failed: FailedCheck }

export function createCheckRun(limitMs: number, signal: AbortSignal, onCheck?: OnCheck): CheckRun {
  return {
    limitMs,
    begin(check, locations) {
      const announce = (status: LaunchCheckProgress["status"], { failed, warnings }: LaunchReport) =>
        onCheck?.({ check, places: [...locations], status, failed_checks: [...failed], warnings: [...warnings] })
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
