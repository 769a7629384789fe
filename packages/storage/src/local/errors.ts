import { AssayError, type ErrorCode } from "@assay/schemas/errors"
import { quotePath } from "../file-path.ts"

export type LocalOperation = "stat" | "list" | "read" | "write" | "delete"

type Meanings = Readonly<Record<string, readonly [ErrorCode, string]>>

/** The meaning of the system's error codes that blame a disk or a limit of the process, and what to do about them. */
export const DISK_MEANINGS: Meanings = {
  ENOSPC: ["disk_full", "no space is left on the device; free some, then try again"],
  EDQUOT: ["disk_full", "the disk quota is used up; free some space or have it raised, then try again"],
  EFBIG: ["disk_full", "the file system or a limit of the process does not take a file this large; have it raised"],
  EACCES: ["upstream_failed", "the server has no permission; correct its owner or mode"],
  EPERM: ["upstream_failed", "the system does not permit it; correct owner, mode or attributes"],
  EROFS: ["upstream_failed", "the file system is mounted read-only; mount it writable"],
  EIO: ["upstream_failed", "the device failed; check the disk and the system's log"],
  ESTALE: ["upstream_failed", "the network file system has lost it; check the mount"],
  EBUSY: ["unavailable", "it is in use; try again"],
  ENOMEM: ["unavailable", "the system has no memory left; try again"],
  EMFILE: ["unavailable", "the process has too many files open; try again, or raise its limit"],
  ENFILE: ["unavailable", "the system has too many files open; try again, or raise its limit"],
}

/** The meaning of those that blame the path, and of all others. */
const MEANINGS: Meanings = {
  ...DISK_MEANINGS,
  ENOENT: ["not_found", "nothing is there; check the path"],
  ENOTDIR: ["path_conflict", "a file is where a folder is needed; choose another path or delete that file"],
  EISDIR: ["path_conflict", "a folder is there; choose another path or delete what is in it"],
  EEXIST: ["path_conflict", "something else is there; choose another path or delete it"],
  ENAMETOOLONG: ["bad_path", "the file system does not take a name or path this long; shorten it"],
  ELOOP: ["bad_path", "symbolic links form a circle there; choose another path"],
  ENXIO: ["not_found", "no file is there; check the path"],
  ENODEV: ["not_found", "no file is there; check the path"],
}

/** Returns the system's code of an error, such as `ENOENT`, or undefined for any other error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error) || !("code" in error)) return undefined
  return typeof error.code === "string" ? error.code : undefined
}

/** Error codes of file systems without hard links. */
export const NO_LINKS: ReadonlySet<string | undefined> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"])

export function isMissing(error: unknown): boolean {
  const code = systemCode(error)
  return code === "ENOENT" || code === "ENOTDIR"
}

/** Converts an error of the system to an `AssayError`. Any other error is returned as it is. */
export function localError(error: unknown, operation: LocalOperation, path: string): unknown {
  const code = systemCode(error)
  if (code === undefined) return error
  const [ours, sentence] = MEANINGS[code] ?? (["upstream_failed", "the system refused it; look up its code"] as const)
  const message = `Local storage could not ${operation} ${quotePath(path)}: ${sentence} (${code}).`
  return new AssayError(ours, message, {
    context: { storage: "local", operation, path, system_code: code },
    cause: error,
  })
}

/** Runs work on the disk and converts errors of the system. */
export async function onDisk<T>(operation: LocalOperation, path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw localError(error, operation, path)
  }
}

export function fileNotFound(path: string): AssayError {
  return new AssayError("not_found", `File ${quotePath(path)} not found.`, { context: { storage: "local", path } })
}

export function outsideRoot(path: string): AssayError {
  const message = `Path ${quotePath(path)} leaves the storage's folder through a symbolic link; choose a path inside.`
  return new AssayError("bad_path", message, { context: { storage: "local", path } })
}

export function fileChanged(path: string): AssayError {
  const message = `File ${quotePath(path)} changed while it was read; read it again.`
  return new AssayError("storage_changed", message, { context: { storage: "local", path } })
}

export function pathConflict(path: string, what: string): AssayError {
  const message = `Can't write ${quotePath(path)}: ${what} is there; choose another path or delete what is in the way.`
  return new AssayError("path_conflict", message, { context: { storage: "local", path } })
}
