import { AssayError, type ErrorCode, isAssayError, messageOf, type ValidationIssue } from "@assay/schemas"
import { diskFailure } from "@assay/storage"

/** An error as it is sent between threads. */
export interface ThreadFailure {
  /** Absent: a defect. */
  readonly code: ErrorCode | undefined
  readonly message: string
  readonly issues: readonly ValidationIssue[]
  readonly context: Readonly<Record<string, unknown>>
}

/** Returns an error as it is sent. Only here it is known whether the disk failed, because a thread receives no code of the system. */
export function failureOf(thrown: unknown): ThreadFailure {
  const error = isAssayError(thrown) ? thrown : (diskFailure(thrown) ?? thrown)
  const { code, context, issues } = isAssayError(error) ? error : UNKNOWN
  return { code, context, issues, message: messageOf(error) }
}

export function errorOf({ code, message, context, issues }: ThreadFailure): Error {
  return code === undefined ? new Error(message) : new AssayError(code, message, { context, issues })
}

const UNKNOWN = { code: undefined, context: {}, issues: [] }
