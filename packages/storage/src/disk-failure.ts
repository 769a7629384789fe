import { closeSync, openSync, unlinkSync } from "node:fs"
import { dirname } from "node:path"
import { AssayError } from "@assay/schemas"
import { DISK_MEANINGS, systemCode } from "./local/errors.ts"

/** Calls that fail because of a network, with codes that a disk has too. */
const NETWORK_CALLS: ReadonlySet<unknown> = new Set(["accept", "bind", "connect", "getaddrinfo", "listen"])

/** Primary result codes of SQLite, and what they mean to its caller. Source: https://www.sqlite.org/rescode.html */
// 11 is the error of a statement if the disk fails to read a page.
const SQLITE_MEANINGS: Readonly<Record<number, string>> = { 7: "ENOMEM", 10: "EIO", 11: "EIO", 13: "ENOSPC" }
const SQLITE_CANTOPEN = 14

/**
 * Converts an error of the system or of SQLite that the disk, or a limit of the process, is the reason for: `disk_full`, `unavailable` or
 * `upstream_failed`. Returns undefined for any other error, so that a file that is missing is never confused with one that can't be read.
 * The message contains no path.
 */
export function diskFailure(error: unknown): AssayError | undefined {
  const code = diskCode(error)
  const meaning = code === undefined ? undefined : DISK_MEANINGS[code]
  if (meaning === undefined) return undefined
  const [ours, sentence] = meaning
  const context = { storage: "local", system_code: code }
  return new AssayError(ours, `The server's disk can't be used: ${sentence} (${code}).`, { context, cause: error })
}

function diskCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ("errcode" in error && typeof error.errcode === "number") {
    const primary = error.errcode & 0xff
    return SQLITE_MEANINGS[primary]
  }
  return "syscall" in error && NETWORK_CALLS.has(error.syscall) ? undefined : systemCode(error)
}

/**
 * Like `diskFailure`, for an error of SQLite about the database `file`. SQLite does not say why it can't open a file, so the system is
 * asked. Also returns undefined if the server may not write to the folder, and if something else than a file is there.
 */
export function openFailure(error: unknown, file: string): AssayError | undefined {
  if (!isUnopened(error)) return diskFailure(error)
  const reason = probe(`${dirname(file)}/.probe`) ?? probeExisting(file)
  if (reason !== undefined) return FORBIDDEN.has(systemCode(reason)) ? undefined : diskFailure(reason)
  const message = "The server could not open one of its files a moment ago, and can now; try again."
  return new AssayError("unavailable", message, { cause: error })
}

const FORBIDDEN: ReadonlySet<unknown> = new Set(["EACCES", "EPERM"])

function isUnopened(error: unknown): boolean {
  if (!(error instanceof Error) || !("errcode" in error)) return false
  return typeof error.errcode === "number" && (error.errcode & 0xff) === SQLITE_CANTOPEN
}

/** Creates and removes a file. Returns the system's error, or undefined if that works. */
function probe(file: string): unknown {
  try {
    closeSync(openSync(file, "w"))
    unlinkSync(file)
    return undefined
  } catch (error) {
    return error
  }
}

/** Opens a file for reading and writing. Returns the system's error, or undefined if that works or the file does not exist. */
function probeExisting(file: string): unknown {
  try {
    closeSync(openSync(file, "r+"))
    return undefined
  } catch (error) {
    return systemCode(error) === "ENOENT" ? undefined : error
  }
}
