import { AssayError, type ErrorCode } from "@assay/schemas/errors"
import { printable } from "../output/printable.ts"

const CODES: Readonly<Record<string, ErrorCode>> = {
  ENOENT: "not_found",
  ENOTDIR: "path_conflict",
  EISDIR: "path_conflict",
  EEXIST: "path_conflict",
  ENOTEMPTY: "path_conflict",
  ENAMETOOLONG: "bad_path",
  ENOSPC: "disk_full",
  EDQUOT: "disk_full",
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "it is not there",
  ENOTDIR: "a file stands where a folder is needed",
  EISDIR: "a folder stands where the file should be",
  EEXIST: "something else stands there",
  ENOTEMPTY: "a folder that holds other files stands there",
  ENAMETOOLONG: "the name is longer than this file system takes",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EACCES: "you have no right to",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
}

/** What the system says about a file of this machine, as one of our errors; any other error comes back as it is. */
export function localFailure(error: unknown, verb: "read" | "write" | "delete", file: string): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  const message = `Can't ${verb} '${printable(file)}': ${REASONS[code] ?? "the system refused it"} (${code}).`
  return new AssayError(CODES[code] ?? "local_file_failed", message, { cause: error, context: { file } })
}

/** The system's word for an error, such as `ENOENT`; undefined for errors of others. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return undefined
  return typeof error.code === "string" ? error.code : undefined
}
