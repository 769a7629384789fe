import { invalidRequest, type AssayError } from "@assay/schemas"

/** Creates the error for a field whose meaning a guarded chat can't keep. `reason` says why and what to do. */
export function unsupported(field: readonly (string | number)[], reason: string, input?: unknown): AssayError {
  return invalidRequest(["body", ...field], `is not supported: ${reason}`, "unsupported", input)
}

/** Returns whether a field of a body asks for something: clients send null, false and empty lists for what they do not want. */
export function isAskedFor(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== false
}
