import { describeFailure } from "@assay/inference"
import { ERROR_CATALOGUE, isAssayError, type ErrorCode } from "@assay/schemas"
import { findInError } from "../conditions/find-in-error.ts"

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
