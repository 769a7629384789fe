import { findNetworkReason, readLimited, type FetchResponse } from "@assay/http"
import type { ValidationIssue } from "@assay/schemas"
import { AssayError, ERROR_CATALOGUE, maskUrlUser, type ErrorCode } from "@assay/schemas/errors"

const MAX_FAILURE_BYTES = 65_536
const MAX_QUOTED_CHARACTERS = 200

/** Method and URL of a call, for messages. */
export interface CallAddress {
  readonly method: string
  readonly url: string
}

/** The only possible code of a failure without a body, by its status. Answers to HEAD never have a body. */
const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  410: "upload_gone",
  412: "precondition_failed",
  416: "range_not_satisfiable",
  429: "too_many_requests",
  503: "unavailable",
}

/** Reads the error of a failed response. A response that is not from Assay becomes `bad_answer`. */
export async function readFailure(response: FetchResponse, address: CallAddress): Promise<AssayError> {
  const { status } = response
  const text = await readText(response)
  const context = { ...address, status }
  const body = parseObject(text)
  const detail = body?.["detail"]
  const code = body?.["code"]
  if (typeof detail === "string" && isErrorCode(code)) {
    const checks = body?.["failed_checks"]
    return new AssayError(code, detail, {
      context: Array.isArray(checks) ? { ...context, failed_checks: checks } : context,
    })
  }
  if (status === 422 && Array.isArray(detail)) {
    const issues = detail.filter(isIssue)
    const message = issues.map((issue) => `${issue.loc.join(".")}: ${issue.msg}`).join("; ")
    return new AssayError("invalid_request", message || "The server refused the request without saying why.", {
      context,
      issues,
    })
  }
  const known = CODE_BY_STATUS[status]
  if (text === "" && known !== undefined) {
    return new AssayError(known, `${address.method} ${address.url} returned status ${status}.`, { context })
  }
  return new AssayError("bad_answer", foreign(response, address, text), { context })
}

/** Describes a response that an Assay server does not send, in one sentence. */
function foreign(response: FetchResponse, { method, url }: CallAddress, text: string): string {
  const location = response.headers.get("location")
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return `${url} redirects to ${maskUrlUser(location)}: use the address that it leads to.`
  }
  const quoted = text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_QUOTED_CHARACTERS)
  const said = quoted === "" ? "an empty body" : `'${quoted}'`
  return `${method} ${url} returned status ${response.status} and ${said}, which no Assay server sends.`
}

async function readText(response: FetchResponse): Promise<string> {
  try {
    const { bytes } = await readLimited(response.body, MAX_FAILURE_BYTES)
    return new TextDecoder().decode(bytes)
  } catch {
    // The status is enough to report the failure. The reason why the body broke off does not matter.
    return ""
  }
}

function parseObject(text: string): Partial<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}

function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(ERROR_CATALOGUE, code)
}

function isIssue(value: unknown): value is ValidationIssue {
  if (typeof value !== "object" || value === null || !("loc" in value) || !("msg" in value)) return false
  return Array.isArray(value.loc) && typeof value.msg === "string"
}

/** Creates the error for a successful response whose content is not what was expected. */
export function badAnswer(address: CallAddress, what: string, cause?: unknown): AssayError {
  const { method, url } = address
  return new AssayError("bad_answer", `${method} ${url} returned ${what}.`, { cause, context: { ...address } })
}

/** Codes of failures that an immediate second attempt does not change. */
const FINAL = new Set(["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH"])

/**
 * Converts an error below HTTP into `server_unreachable`, which names the address. Returns the reason of an aborted `signal`, and
 * an `AssayError`, unchanged.
 */
export function networkFailure(error: unknown, { method, url }: CallAddress, signal?: AbortSignal): unknown {
  if (signal?.aborted === true) return signal.reason
  if (error instanceof AssayError) return error
  const { code, words } = findNetworkReason(error)
  const { origin } = new URL(url)
  const message = FINAL.has(code)
    ? `No Assay server answers at ${origin}: ${words}.`
    : `No answer came from ${origin}: ${words}.`
  return new AssayError("server_unreachable", message, { context: { method, url, reason: code }, cause: error })
}

/** Returns whether the same call may succeed at once, because an existing connection broke. */
export function isBroken(error: unknown): boolean {
  if (!(error instanceof AssayError) || error.code !== "server_unreachable") return false
  const { reason } = error.context
  return typeof reason === "string" && !FINAL.has(reason) && !reason.includes("CERT") && !reason.startsWith("ERR_")
}
