import { boundText, type AssayError, type ErrorCode } from "@assay/schemas"

/** How a route writes its errors for clients of OpenAI's API: `error` beside our `detail`, or also 400 for an invalid request. */
export type OpenAiErrors = "beside" | "door"

export interface OpenAiError {
  readonly message: string
  readonly type: string
  readonly code: string
  readonly param: string | null
}

/** OpenAI's codes for what ours mean. Clients compare some of them. */
const CODES: Readonly<Partial<Record<ErrorCode, string>>> = {
  unauthorized: "invalid_api_key",
  inference_unauthorized: "invalid_api_key",
  context_overflow: "context_length_exceeded",
  rate_limited: "rate_limit_exceeded",
  too_many_requests: "rate_limit_exceeded",
  quota_exhausted: "insufficient_quota",
  parameter_unsupported: "unsupported_parameter",
}

/** Writes an error in OpenAI's form. `status` is that of the response. */
export function openAiError(error: AssayError, status: number): OpenAiError {
  return {
    message: boundText(error.message),
    type: typeOf(error.code, status),
    code: CODES[error.code] ?? error.code,
    param: paramOf(error),
  }
}

function typeOf(code: ErrorCode, status: number): string {
  if (code === "quota_exhausted") return "insufficient_quota"
  if (status === 401) return "authentication_error"
  if (status === 403) return "permission_error"
  if (status === 429) return "rate_limit_error"
  return status >= 500 ? "server_error" : "invalid_request_error"
}

/** Returns the parameter that an error is about, as a path in the body. */
function paramOf({ code, issues, context }: AssayError): string | null {
  const [place, ...path] = issues[0]?.loc ?? []
  if (place === "body" && path.length > 0) return boundText(path.join("."))
  if (code === "model_not_found") return "model"
  const { parameter } = context
  return typeof parameter === "string" ? boundText(parameter) : null
}
