import { Value } from "@sinclair/typebox/value"
import { AssayError } from "../errors/assay-error.ts"
import { GuardrailData } from "./guardrail-data.ts"

/** Checks that a value is a guardrail configuration, and returns it. @throws `invalid_request` with the first invalid place */
export function toGuardrailData(value: unknown): GuardrailData {
  const [fault] = Value.Errors(GuardrailData, value)
  if (fault === undefined) return value as GuardrailData
  const keys = fault.path.split("/").slice(1)
  const msg = fault.message.toLowerCase()
  throw new AssayError("invalid_request", `${keys.join(".") || "guardrail"}: ${msg}`, {
    issues: [{ loc: ["body", "data", ...keys], msg, type: "shape" }],
  })
}
