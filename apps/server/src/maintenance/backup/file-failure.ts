import { AssayError } from "@assay/schemas"

/** The system's error as one of ours; anything else comes back as it is. */
export function fileFailure(error: unknown, doing: string): unknown {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return error
  const isFull = error.code === "ENOSPC" || error.code === "EDQUOT" || error.code === "EFBIG"
  const message = `${doing} failed: ${error.message}.`
  return new AssayError(isFull ? "disk_full" : "local_file_failed", message, { cause: error })
}
