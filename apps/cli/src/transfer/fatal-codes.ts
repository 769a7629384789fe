import type { ErrorCode } from "@assay/schemas/errors"

/** What one file meets, every other file meets too. */
export const FATAL_CODES: ReadonlySet<ErrorCode> = new Set([
  "unauthorized",
  "forbidden",
  "disk_full",
  "method_not_allowed",
  "unsupported",
])
