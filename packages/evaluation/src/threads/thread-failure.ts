import { AssayError, type ErrorCode, isAssayError, type ValidationIssue } from "@assay/schemas"

/** An error as it is sent between threads. */
export interface ThreadFailure {
  /** Absent: a defect. */
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly issues: readonly ValidationIssue[]
  readonly context: Readonly<Record<string, unknown>>
}

export function failureOf(error: unknown): ThreadFailure {
  const { code, context, issues } = isAssayError(error) ? error : UNKNOWN
  return { code, context, issues, message: error instanceof Error ? error.message : String(error) }
}

export function errorOf({ code, message, context, issues }: ThreadFailure): Error {
  return code === undefined ? new Error(message) : new AssayError(code, message, { context, issues })
}

const UNKNOWN = { code: undefined, context: {}, issues: [] }
