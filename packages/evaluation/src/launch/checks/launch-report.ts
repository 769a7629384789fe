import { describeFailure } from "@assay/inference"
import { AssayError, ERROR_CATALOGUE, type ErrorCode, isAssayError } from "@assay/schemas"
import { findInError } from "../../conditions/find-in-error.ts"

export const LAUNCH_CHECKS = ["shape", "fields", "dataset", "rows", "endpoint", "judge_format", "results"] as const

/**
 * `shape`: target and configuration fit, templates compile. `fields`: what templates read is in the rows. `dataset`: it is there.
 * `rows`: the first ones are good. `endpoint`: it answers. `judge_format`: a judge keeps to its format. `results`: they can be written.
 */
export type LaunchCheck = (typeof LAUNCH_CHECKS)[number]

/** A check that did not pass, in the words of the catalogue. */
export interface FailedCheck {
  readonly check: LaunchCheck
  readonly code: ErrorCode
  readonly message: string
  readonly remedy: string
}

/** What a check that threw says, with what is known to help here before what helps in general. */
export function failedCheck(check: LaunchCheck, error: unknown): FailedCheck {
  const { code, message, remedy } = describeFailure(error)
  return { check, code, message, remedy: remedyOf(error) ?? remedy }
}

function remedyOf(error: unknown): string | undefined {
  if (!isAssayError(error)) return undefined
  const { code, context } = error
  if (typeof context["remedy"] === "string") return context["remedy"]
  // What the catalogue says of it is about answers that list the places apart.
  if (code === "invalid_request") return "Correct what the message names."
  const found = findInError(error)
  if (found?.code !== code || found.advice === undefined) return undefined
  return found.isAdviceAll === true ? found.advice : `${found.advice} ${ERROR_CATALOGUE[code].remedy}`
}

/** What the checks of a launch found. The job can be launched where nothing failed, whatever the warnings. */
export interface LaunchReport {
  readonly failed: readonly FailedCheck[]
  readonly warnings: readonly FailedCheck[]
}

export function joinReports(reports: readonly LaunchReport[]): LaunchReport {
  return { failed: reports.flatMap(({ failed }) => failed), warnings: reports.flatMap(({ warnings }) => warnings) }
}

/** The error for a job that can't be launched; its context has `failed_checks`, all of them. */
export function launchRefused(failed: readonly FailedCheck[]): AssayError {
  const count = failed.length === 1 ? "a check failed" : `${failed.length} checks failed`
  const each = failed.map(({ check, message }) => `${check}: ${message}`).join(" ")
  return new AssayError("launch_refused", `Job cannot be launched: ${count}. ${each}`, {
    context: { failed_checks: failed },
  })
}
