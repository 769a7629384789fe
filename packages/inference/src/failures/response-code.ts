import type { InferenceErrorCode } from "./failure.ts"
import type { ErrorBody } from "./read-error-body.ts"
import { firstSignal, PYTHON_SIGNALS, SERVER_SIGNALS } from "./text-signals.ts"

/** Signals that a status speaks louder than: a 401 is about the key, whatever its text mentions. */
const AUTHENTICATION = new Set([401, 403])

/** The condition that status and body tell of together. A 200 with an error in it counts as the status that it hides. */
export function responseCode(httpStatus: number, body: ErrorBody): InferenceErrorCode {
  const status = httpStatus < 300 ? (body.status ?? httpStatus) : httpStatus
  if (body.isHtml) return pageCode(status)
  if (status === 402) return "quota_exhausted"
  const text = `${body.kind}\n${body.message}`
  const said = firstSignal(text, SERVER_SIGNALS)
  if (AUTHENTICATION.has(status)) return said === "quota_exhausted" ? said : "inference_unauthorized"
  if (status === 429) return said === "quota_exhausted" ? said : "rate_limited"
  if (status >= 500 || httpStatus < 300) {
    const behind = firstSignal(text, PYTHON_SIGNALS)
    if (behind !== undefined) return behind
  }
  // A server that gives way to load says so with 503; the same word with 429 is a limit.
  if (said === "rate_limited" && (status === 503 || status === 529)) return "server_overloaded"
  return said ?? statusCode(status)
}

/** HTML comes from what stands in between. */
function pageCode(status: number): InferenceErrorCode {
  if (status === 401) return "inference_unauthorized"
  if (status === 429) return "rate_limited"
  return status >= 502 && status <= 504 ? "inference_unreachable" : "bad_response"
}

function statusCode(status: number): InferenceErrorCode {
  switch (status) {
    case 404:
    case 405:
      return "inference_unreachable"
    case 408:
    case 504:
      return "request_timeout"
    case 502:
      return "inference_unreachable"
    case 503:
    case 529:
      return "server_overloaded"
    default:
      return "bad_response"
  }
}
