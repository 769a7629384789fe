import { AssayError, boundText, CONDITIONS, isAssayError, type ErrorCode } from "@assay/schemas"
import { diskFailure } from "@assay/storage"
import { boundIssues, boundTexts } from "@assay/validation"
import type { FastifyRequest } from "fastify"
import { openAiError, type OpenAiErrors } from "./openai-error.ts"
import { unsupportedMedia } from "./content-type.ts"

export interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Readonly<Record<string, unknown>>
}

/** Converts an error that Fastify throws by itself, and one of the disk that no package has converted. */
function fromFastify(error: Error & { code?: string; statusCode?: number }): AssayError {
  const codes: Readonly<Record<string, ErrorCode>> = {
    FST_ERR_BAD_URL: "bad_request",
    FST_ERR_CTP_INVALID_CONTENT_LENGTH: "bad_request",
  }
  const code = codes[error.code ?? ""]
  if (code !== undefined) return new AssayError(code, `${error.message}.`, { cause: error })
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return new AssayError("bad_request", `${error.message}.`, { cause: error })
  }
  const failure = diskFailure(error)
  if (failure !== undefined) return failure
  return new AssayError(
    "internal",
    "The server failed to process this request. Its log has the reason under the request id.",
    {
      cause: error,
    },
  )
}

function tooLarge({ routeOptions: { bodyLimit } }: FastifyRequest, cause: Error): AssayError {
  return new AssayError(
    "too_large",
    `The body of the request is larger than ${bodyLimit} bytes, the maximum here; send less at once.`,
    { cause },
  )
}

/** Converts any value that was thrown for a request to an AssayError. An unknown error is the fault of the server; its text goes only to the log. */
export function toAssayError(error: unknown, request?: FastifyRequest): AssayError {
  if (isAssayError(error)) return error
  const thrown: Error & { code?: string } = error instanceof Error ? error : new Error(String(error))
  if (request !== undefined && thrown.code === "FST_ERR_CTP_INVALID_MEDIA_TYPE")
    return unsupportedMedia(request, thrown)
  if (request !== undefined && thrown.code === "FST_ERR_CTP_BODY_TOO_LARGE") return tooLarge(request, thrown)
  return fromFastify(thrown)
}

function headersOf(error: AssayError, status: number): Record<string, string> {
  const { code, context } = error
  const headers: Record<string, string> = {}
  if (code === "unauthorized") headers["www-authenticate"] = 'Bearer realm="assay"'
  if (code === "range_not_satisfiable" && typeof context["size"] === "number") {
    headers["content-range"] = `bytes */${context["size"]}`
  }
  if ((status === 429 || status === 503) && error.retry === "later")
    headers["retry-after"] = String(secondsToWait(context))
  return headers
}

/** Returns our own wait, or the wait that the inference endpoint behind the request asked for. */
function secondsToWait({ retryAfter, retry_after_ms }: Readonly<Record<string, unknown>>): number {
  if (typeof retryAfter === "number") return retryAfter
  return typeof retry_after_ms === "number" ? Math.max(1, Math.ceil(retry_after_ms / 1000)) : 1
}

export interface ErrorOptions {
  /** Leaves out the input values, because one of them may be a secret. Default false. */
  readonly hideInput?: boolean
  /** Default: errors have only our form. */
  readonly openAi?: OpenAiErrors
}

/** Builds the response to an error. */
export function errorResponse(error: AssayError, options: ErrorOptions = {}): ErrorResponse {
  const own = ownResponse(error, options)
  const { openAi } = options
  if (openAi === undefined) return own
  const status = openAi === "door" && error.code === "invalid_request" ? 400 : own.status
  const isFinal = error.retry === "never" || error.context["is_retried"] === true
  return {
    status,
    headers: { ...own.headers, ...(isFinal ? { "x-should-retry": "false" } : {}) },
    body: { ...own.body, error: openAiError(error, status) },
  }
}

/** Returns the status of the endpoint behind the request, if the caller has to know it, else that of the code. */
function statusOf({ status, context }: AssayError): number {
  const { answer_status: answered } = context
  return typeof answered === "number" ? answered : status
}

function ownResponse(error: AssayError, options: ErrorOptions): ErrorResponse {
  const status = statusOf(error)
  const headers = headersOf(error, status)
  if (error.code === "invalid_request") {
    const issues = options.hideInput === true ? error.issues.map(({ input: _input, ...issue }) => issue) : error.issues
    return { status: 422, headers, body: { detail: boundIssues(issues) } }
  }
  if (error.code === "launch_refused") {
    const { title: detail } = CONDITIONS.launch_refused
    const { failed_checks } = error.context
    return {
      status: error.status,
      headers,
      body: { detail, code: error.code, failed_checks: boundTexts(failed_checks) },
    }
  }
  const { used_by } = error.context
  const uses = error.code === "in_use" && used_by !== undefined ? { used_by } : {}
  return { status, headers, body: { detail: boundText(error.message), code: error.code, ...uses } }
}
