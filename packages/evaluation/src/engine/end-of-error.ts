import { isAssayError } from "@assay/schemas"
import type { PlanEnd } from "./plan-outcome.ts"

/** How a run ends that something was thrown at. */
export function endOfError(error: unknown): PlanEnd {
  if (isAssayError(error)) return { kind: "failed", code: error.code, message: error.message }
  return { kind: "failed", code: "internal", message: `The run broke: ${String(error)}; report it.` }
}
