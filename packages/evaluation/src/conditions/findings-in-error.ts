import { isAssayError } from "@assay/schemas"
import { findInError, isConditionCode } from "./find-in-error.ts"
import type { Finding } from "./finding.ts"

/** The conditions that an error is: one at the most, but a launch that was refused is each of the checks that failed as well. */
export function findingsInError(error: unknown): readonly Finding[] {
  const found = findInError(error)
  const own = found === undefined ? [] : [found]
  if (!isAssayError(error, "launch_refused")) return own
  const { failed_checks: checks } = error.context
  return [...own, ...(Array.isArray(checks) ? checks.flatMap(findingOfCheck) : [])]
}

function findingOfCheck(check: unknown): readonly Finding[] {
  const { code, message, remedy } = Object(check) as Readonly<Record<string, unknown>>
  if (typeof code !== "string" || !isConditionCode(code)) return []
  return [
    { code, message: String(message), ...(typeof remedy === "string" ? { advice: remedy, isAdviceAll: true } : {}) },
  ]
}
