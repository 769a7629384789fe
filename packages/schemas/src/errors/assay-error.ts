import { boundText } from "../text/bound-text.ts"
import type { ValidationIssue } from "./error-body.ts"
import { ERROR_CATALOGUE, type ErrorCode } from "./error-catalogue.ts"

/** Characters of a message. Those that list many things are longer than an answer shows. */
const MAX_STORED = 4000

export interface AssayErrorOptions {
  /** What was being done to what: backend, operation, path, limits. Never a secret. */
  readonly context?: Readonly<Record<string, unknown>>
  /** The places of an `invalid_request`. */
  readonly issues?: readonly ValidationIssue[]
  readonly cause?: unknown
}

/** The one error type. The message is one sentence that says what was wrong, with the value, and what to do; it is at most 4,000 characters long. */
export class AssayError extends Error {
  override readonly name = "AssayError"
  readonly code: ErrorCode
  readonly context: Readonly<Record<string, unknown>>
  readonly issues: readonly ValidationIssue[]

  constructor(code: ErrorCode, message: string, options: AssayErrorOptions = {}) {
    // Messages are stored with jobs and rows, and printed, as well as answered.
    super(
      message.length > MAX_STORED ? boundText(message, MAX_STORED) : message,
      options.cause === undefined ? {} : { cause: options.cause },
    )
    this.code = code
    this.context = options.context ?? {}
    this.issues = options.issues ?? []
  }

  get retry(): "never" | "later" {
    return ERROR_CATALOGUE[this.code].retry
  }

  get status(): number {
    return ERROR_CATALOGUE[this.code].status
  }
}

/** Whether `error` is an AssayError, of `code` if one is given. Holds across copies of this package. */
export function isAssayError(error: unknown, code?: ErrorCode): error is AssayError {
  return (
    error instanceof Error && error.name === "AssayError" && (code === undefined || (error as AssayError).code === code)
  )
}

/** An `invalid_request` with one issue at `loc`. */
export function invalidRequest(
  loc: readonly (string | number)[],
  msg: string,
  type: string,
  input?: unknown,
): AssayError {
  const issue: ValidationIssue = { loc: [...loc], msg, type, ...(input === undefined ? {} : { input }) }
  return new AssayError("invalid_request", `${loc.join(".")}: ${msg}`, { issues: [issue] })
}
