import { printable } from "../../../output/printable.ts"

/** A launch check that failed, or warned. */
export interface ToldCheck {
  readonly check: string
  readonly code: string
  readonly message: string
  readonly remedy: string
}

/** Every check on one screen: what is wrong, and what to do. */
export function formatFailedChecks(checks: readonly ToldCheck[]): string {
  return checks
    .map(({ check, code, message, remedy }) => `  ${[`${check}: ${code}`, `  ${message}`, `  → ${remedy}`].map(printable).join("\n  ")}`)
    .join("\n\n")
}
