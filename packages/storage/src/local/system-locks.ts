import { createFolderAtOnce } from "../create-folder.ts"
import { dirname } from "node:path"
import { DatabaseSync, type StatementSync } from "node:sqlite"
import { crc32 } from "node:zlib"
import { AssayError, messageOf } from "@assay/schemas"
import { openFailure } from "../disk-failure.ts"
import { createPathLocks } from "../path-locks.ts"
import { quotePath } from "../file-path.ts"
import { metadataCalls } from "./folders/metadata-calls.ts"

/** Number of lock files. Paths with the same file wait for each other. */
const LOCK_FILES = 64

/** Milliseconds between two attempts to take a lock. */
const POLL_MS = 5

/** Milliseconds after which waiting for a lock fails, because its holder may be suspended. */
const MAX_WAIT_MS = 15_000

/** SQLite's result code for a lock held by another connection. */
const SQLITE_BUSY = 5

/**
 * Locks on paths between processes. The operating system owns them and releases them when their holder dies. So locks
 * need no expiry, and a process can't continue without its lock. Lock files are never removed.
 */
export interface SystemLocks {
  /**
   * Runs `work` while no other process holds the lock on `path`, which must be absolute and without links.
   * @throws `unavailable` after 15 seconds; `unsupported` if the file system has no locks and one is required
   */
  exclusive<T>(path: string, options: SystemLockOptions, work: () => Promise<T>): Promise<T>
  close(): void
}

export interface SystemLockOptions {
  /** Whether `work` must not run if the file system has no locks. */
  readonly isRequired: boolean
  readonly signal?: AbortSignal | undefined
}

/** A SQLite file, which is a portable way to use locks of the operating system. */
interface LockFile {
  readonly database: DatabaseSync
  /** An unfinished query. While it is open, beginning and ending a write take one system call each instead of 20. */
  readonly reading: Iterator<unknown>
  readonly begin: StatementSync
  readonly end: StatementSync
  readonly inode: bigint
}

/** Creates locks whose files are in `folder`. The folder is created with the first lock. */
export function createSystemLocks(folder: string): SystemLocks {
  const locks = createPathLocks()
  const nameOf = lockNames(folder)
  const opened = new Map<string, LockFile>()

  /**
   * Returns a lock that was taken, or the reason why locking is impossible, or undefined while another process holds
   * the lock.
   */
  function tryToLock(name: string): LockFile | { readonly cause: unknown } | undefined {
    try {
      const lock = opened.get(name) ?? openLockFile(`${folder}/${name}`)
      opened.set(name, lock)
      lock.begin.run()
      if (isInPlace(`${folder}/${name}`, lock)) return lock
      // The folder was replaced, and other processes lock the new file.
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
      if (lock !== undefined && isRequired)
        throw openFailure(lock.cause, `${folder}/${name}`) ?? noLocks(folder, lock.cause)
      if (lock !== undefined) return undefined
      if (waitedMs >= MAX_WAIT_MS) throw heldTooLong(`${folder}/${name}`)
      await new Promise((resolve) => setTimeout(resolve, POLL_MS))
    }
  }

  return {
    exclusive(path, options, work) {
      const name = nameOf(path)
      // Only one caller in this process tries to take a lock at a time.
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

/**
 * Nothing is written after this. The first line prevents SQLite from creating and removing a journal file for every
 * lock.
 */
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
    return { database, reading, begin, end: database.prepare("rollback"), inode: metadataCalls.at(path).ino }
  } catch (error) {
    database.close()
    throw error
  }
}

function openDatabase(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { timeout: 0 })
  } catch {
    createFolderAtOnce(dirname(path), { durable: false })
    return new DatabaseSync(path, { timeout: 0 })
  }
}

function isInPlace(path: string, { inode }: LockFile): boolean {
  try {
    return metadataCalls.at(path).ino === inode
  } catch {
    return false
  }
}

/**
 * Returns a function that maps paths to lock names. Servers may mount a shared folder at different locations, so paths are
 * made relative to it.
 */
function lockNames(folder: string): (path: string) => string {
  let start = ""
  return (path) => {
    // Resolve the folder again if the path does not begin with it: it may not have existed, or a link to it may have
    // changed.
    if (start === "" || !path.startsWith(start)) start = `${realFolder(dirname(folder))}/`
    const key = path.startsWith(start) ? path.slice(start.length) : path
    return String(crc32(key) % LOCK_FILES)
  }
}

function realFolder(folder: string): string {
  try {
    return metadataCalls.realPath(folder)
  } catch {
    return folder
  }
}

function noLocks(folder: string, cause: unknown): AssayError {
  const reason = messageOf(cause)
  const message = `A conditional write needs a lock of the file system, but no file in ${quotePath(folder)} can be locked (${reason}); make the folder writable on a file system with locks, or omit the condition.`
  return new AssayError("unsupported", message, { context: { storage: "local" }, cause })
}

function heldTooLong(lockFile: string): AssayError {
  const message = `Another process has held the lock ${quotePath(lockFile)} for ${MAX_WAIT_MS / 1000} s; check the servers that share the folder, then try again.`
  return new AssayError("unavailable", message, { context: { storage: "local" } })
}
