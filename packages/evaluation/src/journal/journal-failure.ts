import { AssayError } from "@assay/schemas"

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"])

/** Why a journal can't be read or written: `disk_full` or `local_file_failed`. */
export function journalFailure(path: string, cause: unknown): AssayError {
  const { code, message } = cause as NodeJS.ErrnoException
  if (FULL.has(code)) {
    const said = `There is no room left for the journal ${path} (${code}); free some, then resume the job: answered rows are kept.`
    return new AssayError("disk_full", said, { cause })
  }
  return new AssayError("local_file_failed", `The journal ${path} can't be used: ${message}.`, { cause })
}
