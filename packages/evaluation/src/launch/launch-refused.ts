import { AssayError } from "@assay/schemas"
import type { FailedCheck } from "./failed-check.ts"

/** The error for a job that can't be launched; its context has `failed_checks`, all of them. */
export function launchRefused(failed: readonly FailedCheck[]): AssayError {
  const count = failed.length === 1 ? "a check failed" : `${failed.length} checks failed`
  const each = failed.map(({ check, message }) => `${check}: ${message}`).join(" ")
  return new AssayError("launch_refused", `Job cannot be launched: ${count}. ${each}`, {
    context: { failed_checks: failed },
  })
}
