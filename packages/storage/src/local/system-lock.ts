import { createHash } from "node:crypto"
import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { AssayError } from "@assay/schemas"
import { quotePath } from "../quote-path.ts"
import type { Folder } from "./folder.ts"
import type { LocalContext } from "./local-context.ts"
import { quickLook } from "./quick-look.ts"
import { systemPath } from "./root.ts"
import { TEMPORARY_PREFIX } from "./temporary-name.ts"

/** Number of lock files. Paths that share one wait for each other. */
const LOCK_FILES = 256

/** A lock is polled at this interval, in milliseconds. */
const POLL_MS = 5

/** Longest wait for a lock in milliseconds: its holder may be stopped. */
const MAX_WAIT_MS = 15_000

/** Result code of SQLite for a lock that another connection holds. */
const SQLITE_BUSY = 5

export interface SystemLockOptions {
  /** Whether `work` must not run if the file system has no locks. */
  readonly isRequired: boolean
  readonly signal?: AbortSignal | undefined
}

/**
 * Runs `work` while no other process runs such work on the file `name` in `folder`. The lock belongs to the operating
 * system, which releases it when its holder dies: nothing has to expire, and a stopped holder can't wake up without it.
 * An empty SQLite file is the portable way to such a lock. Lock files are never removed, so there is one per name.
 * @throws `unavailable` after 15 seconds, `unsupported` if the file system has no locks and one is required
 */
export async function withSystemLock<T>(
  local: LocalContext,
  { folder, name }: { readonly folder: Folder; readonly name: string },
  { isRequired, signal }: SystemLockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const lockFolder = local.lockFolder ?? systemPath(local.root, `${TEMPORARY_PREFIX}locks`)
  const lockFile = `${lockFolder}/${lockName(lockFolder, `${folder.real}/${name}`)}`
  // In this process, one at a time polls for a lock.
  return local.locks.exclusive(lockFile, async () => {
    const lock = await acquire(lockFile, { isRequired, signal })
    try {
      return await work()
    } finally {
      lock?.close()
    }
  })
}

/** Servers may mount a shared folder at different places, so a path beside the lock folder counts relative to it. */
function lockName(lockFolder: string, path: string): string {
  const start = `${realFolder(dirname(lockFolder))}/`
  const key = path.startsWith(start) ? path.slice(start.length) : path
  return String(createHash("sha256").update(key).digest().readUInt32BE() % LOCK_FILES)
}

function realFolder(folder: string): string {
  try {
    return quickLook.realPath(folder)
  } catch {
    return folder
  }
}

async function acquire(lockFile: string, { isRequired, signal }: SystemLockOptions): Promise<DatabaseSync | undefined> {
  const waited = AbortSignal.timeout(MAX_WAIT_MS)
  for (;;) {
    signal?.throwIfAborted()
    const lock = tryToLock(lockFile)
    if (lock instanceof DatabaseSync) return lock
    if (lock !== "held") {
      if (!isRequired) return undefined
      throw noLocks(lockFile, lock.cause)
    }
    if (waited.aborted) throw heldTooLong(lockFile)
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
}

function tryToLock(lockFile: string): DatabaseSync | "held" | { readonly cause: unknown } {
  let lock: DatabaseSync | undefined
  try {
    lock = openLockFile(lockFile)
    lock.exec("begin exclusive")
    return lock
  } catch (cause) {
    lock?.close()
    return (cause as { readonly errcode?: unknown }).errcode === SQLITE_BUSY ? "held" : { cause }
  }
}

function openLockFile(lockFile: string): DatabaseSync {
  try {
    return new DatabaseSync(lockFile, { timeout: 0 })
  } catch {
    mkdirSync(dirname(lockFile), { recursive: true })
    return new DatabaseSync(lockFile, { timeout: 0 })
  }
}

function noLocks(lockFile: string, cause: unknown): AssayError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `A write with a condition needs a lock of the file system, and ${quotePath(lockFile)} can't be locked (${reason}); make its folder writable on a file system with locks, or leave the condition out.`
  return new AssayError("unsupported", message, { context: { storage: "local" }, cause })
}

function heldTooLong(lockFile: string): AssayError {
  const message = `Another process has held the lock ${quotePath(lockFile)} for ${MAX_WAIT_MS / 1000} s; check the servers that share the folder, then try again.`
  return new AssayError("unavailable", message, { context: { storage: "local" } })
}
