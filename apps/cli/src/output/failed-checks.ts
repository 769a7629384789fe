import type { AssayError } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"

/** A launch check with an error or a warning. */
export interface DescribedCheck {
  readonly check: string
  readonly code: string
  readonly message: string
  readonly remedy: string
}

/** Returns the failed checks of a refused launch, or undefined for any other error. */
export function failedChecksOf({ code, context }: AssayError): readonly DescribedCheck[] | undefined {
  const checks = context["failed_checks"]
  if (code !== "launch_refused" || !Array.isArray(checks)) return undefined
  return checks.map(({ check, code: why, message, remedy }: Record<string, unknown>) => ({
    check: String(check),
    code: String(why),
    message: String(message),
    remedy: String(remedy),
  }))
}

/** Formats checks: what is wrong and what to do. */
export function formatFailedChecks(checks: readonly DescribedCheck[]): string {
  return checks
    .map(({ check, code, message, remedy }) =>
      [`  ${check}: ${code}`, `    ${message}`, `    → ${remedy}`].map(printable).join("\n"),
    )
    .join("\n\n")
}
