import { describeFailure } from "@assay/inference"
import { AssayError, ERROR_CATALOGUE, type ErrorCode, isAssayError } from "@assay/schemas"
import { findInError } from "@assay/results"

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
  const { code, message, remedy } = describeFailure(error)
  return { check, code, message, remedy: remedyOf(error) ?? remedy }
}

function remedyOf(error: unknown): string | undefined {
  if (!isAssayError(error)) return undefined
  const { code, context } = error
  if (typeof context["remedy"] === "string") return context["remedy"]
  // The remedy of the catalogue is about answers that list the places separately.
  if (code === "invalid_request") return "Correct what the message names."
  const found = findInError(error)
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
