import { AssayError, ERROR_CATALOGUE, maskUrlUser, type ErrorCode } from "@assay/schemas/errors"
import type { ValidationIssue } from "@assay/schemas"
import { readLimited, type FetchResponse } from "@assay/http"

const MAX_FAILURE_BYTES = 65_536
const MAX_QUOTED_CHARACTERS = 200

/** Where a failed call went. */
export interface CallAddress {
  readonly method: string
  readonly url: string
}

/** What a failure without a body of ours can only mean, on any route. HEAD answers never have one. */
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

/** The error that a failed answer tells. An answer that is not one of Assay's becomes `bad_answer`. */
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
    return new AssayError(known, `${address.method} ${address.url} was answered with status ${status}.`, { context })
  }
  return new AssayError("bad_answer", foreign(response, address, text), { context })
}

/** One sentence about an answer that Assay does not give. */
function foreign(response: FetchResponse, { method, url }: CallAddress, text: string): string {
  const location = response.headers.get("location")
  if (response.status >= 300 && response.status < 400 && location !== null) {
    return `${url} redirects to ${maskUrlUser(location)}: use the address that it leads to.`
  }
  const quoted = text.replaceAll(/\s+/g, " ").trim().slice(0, MAX_QUOTED_CHARACTERS)
  const said = quoted === "" ? "an empty body" : `'${quoted}'`
  return `${method} ${url} was answered with status ${response.status} and ${said}, which no Assay server sends.`
}

async function readText(response: FetchResponse): Promise<string> {
  try {
    const { bytes } = await readLimited(response.body, MAX_FAILURE_BYTES)
    return new TextDecoder().decode(bytes)
  } catch {
    // The status alone still tells that the call failed; how its body broke off adds nothing.
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
