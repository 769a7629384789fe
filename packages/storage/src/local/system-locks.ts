import { mkdirSync } from "node:fs"
import { dirname } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { crc32 } from "node:zlib"
import { AssayError } from "@assay/schemas"
import { createPathLocks } from "../path-locks.ts"
import { quotePath } from "../file-path.ts"
import { quickLook } from "./folders/quick-look.ts"

/** Number of lock files. Paths that share one wait for each other. */
const LOCK_FILES = 64

/** Milliseconds between two attempts to get a lock. */
const POLL_MS = 5

/** Milliseconds of attempts after which a wait fails: the holder may be stopped. */
const MAX_WAIT_MS = 15_000

/** Result code of SQLite for a lock that another connection holds. */
const SQLITE_BUSY = 5

/**
 * Locks on paths that hold between processes. Each belongs to the operating system, which releases it when its holder
 * dies: no lock has to expire, and no process can wake up and go on without its lock. Lock files are never removed.
 */
export interface SystemLocks {
  /**
   * Runs `work` while no other process runs such work on `path`, which is absolute and without links.
   * @throws `unavailable` after 15 seconds, `unsupported` if the file system has no locks and one is required
   */
  exclusive<T>(path: string, options: SystemLockOptions, work: () => Promise<T>): Promise<T>
  close(): void
}

export interface SystemLockOptions {
  /** Whether `work` must not run if the file system has no locks. */
  readonly isRequired: boolean
  readonly signal?: AbortSignal | undefined
}

/** A SQLite file: the portable way to a lock of the operating system. */
interface LockFile {
  readonly database: DatabaseSync
  /** A query that never ends. While the file is read, to begin and to end a write is one call of the system each, and 20 otherwise. */
  readonly reading: Iterator<unknown>
  readonly begin: StatementSync
  readonly end: StatementSync
  readonly inode: bigint
}

/** Locks whose files are in `folder`, which is made with the first one. */
export function createSystemLocks(folder: string): SystemLocks {
  const locks = createPathLocks()
  const nameOf = lockNames(folder)
  const opened = new Map<string, LockFile>()

  /** A lock that is held, the reason why there is none, or undefined while another process holds it. */
  function tryToLock(name: string): LockFile | { readonly cause: unknown } | undefined {
    try {
      const lock = opened.get(name) ?? openLockFile(`${folder}/${name}`)
      opened.set(name, lock)
      lock.begin.run()
      if (isInPlace(`${folder}/${name}`, lock)) return lock
      // The folder was replaced: other processes lock the new file.
      opened.delete(name)
      lock.database.close()
      return undefined
    } catch (cause) {
      return (cause as { readonly errcode?: unknown }).errcode === SQLITE_BUSY ? undefined : { cause }
    }
  }

  async function acquire(name: string, { isRequired, signal }: SystemLockOptions): Promise<LockFile | undefined> {
    for (let waitedMs = 0; ; waitedMs += POLL_MS) {
      signal?.throwIfAborted()
      const lock = tryToLock(name)
      if (lock !== undefined && "database" in lock) return lock
      if (lock !== undefined && isRequired) throw noLocks(folder, lock.cause)
      if (lock !== undefined) return undefined
      if (waitedMs >= MAX_WAIT_MS) throw heldTooLong(`${folder}/${name}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  return {
    exclusive(path, options, work) {
      const name = nameOf(path)
      // In this process, one at a time tries to get a lock.
      return locks.exclusive(name, async () => {
        const lock = await acquire(name, options)
        try {
          return await work()
        } finally {
          lock?.end.run()
        }
      })
    },
    close() {
      for (const { database } of opened.values()) database.close()
      opened.clear()
    },
  }
}

/** Nothing is ever written after this. Without the first line, SQLite makes and removes a journal beside the file with every lock. */
const SET_UP = `pragma journal_mode = memory;
  pragma synchronous = off;
  create table if not exists held as select 1 as row union select 2`

function openLockFile(path: string): LockFile {
  const database = openDatabase(path)
  try {
    database.exec(SET_UP)
    const reading = database.prepare("select row from held").iterate()
    reading.next()
    const begin = database.prepare("begin immediate")
    return { database, reading, begin, end: database.prepare("rollback"), inode: quickLook.at(path).ino }
  } catch (error) {
    database.close()
    throw error
  }
}

function openDatabase(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 })
  } catch {
    mkdirSync(dirname(path), { recursive: true })
    return new DatabaseSync(path, { timeout: 0 })
  }
}

function isInPlace(path: string, { inode }: LockFile): boolean {
  try {
    return quickLook.at(path).ino === inode
  } catch {
    return false
  }
}

/** Servers may mount a shared folder at different places, so a path beside the lock folder counts relative to it. */
function lockNames(folder: string): (path: string) => string {
  let start = ""
  return (path) => {
    // Looked up again if it does not fit: it may not have been there yet, or lie behind a link that was changed.
    if (start === "" || !path.startsWith(start)) start = `${realFolder(dirname(folder))}/`
    const key = path.startsWith(start) ? path.slice(start.length) : path
    return String(crc32(key) % LOCK_FILES)
  }
}

function realFolder(folder: string): string {
  try {
    return quickLook.realPath(folder)
  } catch {
    return folder
  }
}

function noLocks(folder: string, cause: unknown): AssayError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  const message = `A write with a condition needs a lock of the file system, and no file in ${quotePath(folder)} can be locked (${reason}); make the folder writable on a file system with locks, or leave the condition out.`
  return new AssayError("unsupported", message, { context: { storage: "local" }, cause })
}

function heldTooLong(lockFile: string): AssayError {
  const message = `Another process has held the lock ${quotePath(lockFile)} for ${MAX_WAIT_MS / 1000} s; check the servers that share the folder, then try again.`
  return new AssayError("unavailable", message, { context: { storage: "local" } })
}
