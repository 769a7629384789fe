import { Value } from "@sinclair/typebox/value"
import { AssayError } from "../errors/assay-error.ts"
import { CreateGuardrailConfiguration } from "./guardrail-configuration.ts"
import { GuardrailData } from "./guardrail-data.ts"

/** A value at the wrong place, or of the wrong type. */
export interface GuardrailFault {
  /** The keys that lead to the value. */
  readonly keys: readonly string[]
  readonly msg: string
}

/** Returns the first fault of a guardrail configuration, or with `isRecord` of a whole record. Undefined if there is none. */
export function guardrailFault(value: unknown, { isRecord = false } = {}): GuardrailFault | undefined {
  const [fault] = Value.Errors(isRecord ? CreateGuardrailConfiguration : GuardrailData, value)
  return fault === undefined ? undefined : { keys: fault.path.split("/").slice(1), msg: fault.message.toLowerCase() }
}

/** Checks that a value is a guardrail configuration, and returns it. @throws `invalid_request` with the first invalid place */
export function toGuardrailData(value: unknown): GuardrailData {
  const fault = guardrailFault(value)
  if (fault === undefined) return value as GuardrailData
  const { keys, msg } = fault
  throw new AssayError("invalid_request", `${keys.join(".") || "guardrail"}: ${msg}`, {
    issues: [{ loc: ["body", "data", ...keys], msg, type: "shape" }],
  })
}
