import { boundText } from "../text/bound-text.ts"
import type { ValidationIssue } from "./error-body.ts"
import { ERROR_CATALOGUE, type ErrorCode } from "./error-catalogue.ts"

/** Maximum characters of a message. Responses of the server show fewer. */
const MAX_STORED = 4000

export interface AssayErrorOptions {
  /** The circumstances: backend, operation, path, limits. Never a secret. */
  readonly context?: Readonly<Record<string, unknown>>
  /** The invalid locations of an `invalid_request`. */
  readonly issues?: readonly ValidationIssue[]
  readonly cause?: unknown
}

/** The only error type. Its message is one sentence of at most 4,000 characters that says what was wrong, with the value, and what to do. */
export class AssayError extends Error {
  override readonly name = "AssayError"
  readonly code: ErrorCode
  readonly context: Readonly<Record<string, unknown>>
  readonly issues: readonly ValidationIssue[]

  constructor(code: ErrorCode, message: string, options: AssayErrorOptions = {}) {
    // Bounded here, because messages are also stored with jobs and rows, and printed.
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

/** Returns whether `error` is an AssayError, and of `code` if one is given. Works across copies of this package. */
export function isAssayError(error: unknown, code?: ErrorCode): error is AssayError {
  return (
    error instanceof Error && error.name === "AssayError" && (code === undefined || (error as AssayError).code === code)
  )
}

/** Creates an `invalid_request` with one issue at `loc`. */
export function invalidRequest(
  loc: readonly (string | number)[],
  msg: string,
  type: string,
  input?: unknown,
): AssayError {
  const issue: ValidationIssue = { loc: [...loc], msg, type, ...(input === undefined ? {} : { input }) }
  return new AssayError("invalid_request", `${loc.join(".")}: ${msg}`, { issues: [issue] })
}

/** Returns the message of an error, or the text of any other thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
