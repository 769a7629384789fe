import { describeFailure } from "@assay/inference"
import { isAssayError, type ErrorCode } from "@assay/schemas"

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

/** What a check that threw says. An error can bring a remedy of its own, in `context.remedy`. */
export function failedCheck(check: LaunchCheck, error: unknown): FailedCheck {
  const { code, message, remedy } = describeFailure(error)
  const own = isAssayError(error) ? error.context["remedy"] : undefined
  return { check, code, message, remedy: typeof own === "string" ? own : remedy }
}
