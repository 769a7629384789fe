import { AssayError, type ErrorCode } from "@assay/schemas/errors"
import { printable } from "@assay/schemas"
import { systemCode } from "../local/errors.ts"

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
  ENOENT: "it does not exist",
  ENOTDIR: "a file is where a folder is needed",
  EISDIR: "a folder is where the file should be",
  EEXIST: "something else has that name",
  ENOTEMPTY: "a folder with other files has that name",
  ENAMETOOLONG: "the name is too long for this file system",
  ENOSPC: "no space is left on the disk",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission denied",
  EPERM: "the system does not permit it",
  EROFS: "the file system is read-only",
  EMFILE: "too many files are open",
}

/**
 * Translates an error of the system about a file of the user's machine into an `AssayError`. Returns any other error unchanged.
 * Its words are for the user of a command; `localError` words the same errors for the user of a server.
 */
export function localFailure(error: unknown, verb: "read" | "write" | "delete", file: string): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  const message = `Can't ${verb} '${printable(file)}': ${REASONS[code] ?? "the system refused it"} (${code}).`
  return new AssayError(CODES[code] ?? "local_file_failed", message, { cause: error, context: { file } })
}
