import type { AssayError, ConditionCode, ErrorCode } from "@assay/schemas"

const FATAL: ReadonlySet<string> = new Set<ErrorCode | ConditionCode>([
  "inference_unauthorized",
  "inference_tls",
  "model_not_found",
  "quota_exhausted",
  "host_not_allowed",
  "secret_not_readable",
  "disk_full",
])

const DOUBTFUL: ReadonlySet<string> = new Set<ErrorCode | ConditionCode>([
  "inference_unreachable",
  "parameter_unsupported",
  "server_out_of_memory",
  "template_error",
  "inference_tls",
])

/** Whether every other row would fail the same way: the fault is the job's and not the row's. */
export function isFatal(code: string): boolean {
  return FATAL.has(code)
}

/** Whether a failure ends the job at once. A handshake that is broken off may pass, as any broken connection. */
export function endsJob({ code, context }: AssayError): boolean {
  return isFatal(code) && context["tls_problem"] !== "handshake-reset"
}

/** Whether every other row may fail the same way: it does, where no row has come through. */
export function isDoubtful(code: string): boolean {
  return DOUBTFUL.has(code)
}
