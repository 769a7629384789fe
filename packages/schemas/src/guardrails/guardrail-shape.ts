import { AssayError } from "../errors/assay-error.ts"
import { findFault, type Fault } from "../records/find-fault.ts"
import { CreateGuardrailConfiguration } from "./guardrail-configuration.ts"
import { GuardrailData } from "./guardrail-data.ts"

/** Returns the first fault of a guardrail configuration, or with `isRecord` of a whole record. Undefined if there is none. */
export function guardrailFault(value: unknown, { isRecord = false } = {}): Fault | undefined {
  return findFault(isRecord ? CreateGuardrailConfiguration : GuardrailData, value)
}

/** Checks that a value is a guardrail configuration, and returns it. @throws `invalid_request` with the first invalid location */
export function toGuardrailData(value: unknown): GuardrailData {
  const fault = guardrailFault(value)
  if (fault === undefined) return value as GuardrailData
  const { keys, msg } = fault
  throw new AssayError("invalid_request", `${keys.join(".") || "guardrail"}: ${msg}`, {
    issues: [{ loc: ["body", "data", ...keys], msg, type: "shape" }],
  })
}
