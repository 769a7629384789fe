import { ERROR_CATALOGUE, isAssayError, type ErrorCode } from "@assay/schemas"
import { removeSecrets } from "./remove-secrets.ts"

/** A failure in the words of the catalogue. */
export interface FailureDescription {
  readonly code: ErrorCode
  readonly title: string
  readonly message: string
  readonly remedy: string
}

/** What to tell of an error: its condition, what happened and what to do. What has no code is `internal`. */
export function describeFailure(error: unknown): FailureDescription {
  const code = isAssayError(error) ? error.code : "internal"
  const entry: { readonly title?: string; readonly meaning: string; readonly remedy: string } = ERROR_CATALOGUE[code]
  const message = removeSecrets(error instanceof Error ? error.message : String(error))
  return { code, title: entry.title ?? entry.meaning, message, remedy: entry.remedy }
}
