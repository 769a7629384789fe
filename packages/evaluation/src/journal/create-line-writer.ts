import { ftruncateSync, writeSync } from "node:fs"
import type { FileHandle } from "node:fs/promises"
import { AssayError } from "@assay/schemas"

/** Appends lines to a file in small groups. After its first failure, it accepts no more lines. */
interface LineWriter {
  append(line: string): void
  /** Passes all lines to the operating system. */
  write(): void
  /** Writes all lines to the disk. */
  flush(): Promise<void>
  /** Returns the size of the whole lines that were written, in bytes. */
  size(): number
  /** Returns whether lines could not be written. */
  hasFailed(): boolean
  close(): Promise<void>
}

interface Options {
  /** The file, opened for appending. */
  readonly file: FileHandle
  readonly path: string
  /** The size of the file now, in bytes. */
  readonly size: number
  readonly sync: boolean
}

const GROUP_CHARACTERS = 64 * 1024
const GROUP_MS = 4
const SYNC_MS = 1000

/**
 * Creates the writer. Groups are written synchronously: that takes about 10 µs, keeps nothing in memory, and slows down a caller that
 * appends faster than the disk writes.
 */
export function createLineWriter({ file, path, size: first, sync }: Options): LineWriter {
  let size = first
  let group = ""
  let isSynced = true
  let syncing: Promise<unknown> = Promise.resolve()
  let failure: AssayError | undefined
  let groupTimer: NodeJS.Timeout | undefined
  let syncTimer: NodeJS.Timeout | undefined

  const fail = (cause: unknown): void => {
    failure ??= journalFailure(path, cause)
  }
  const write = (): void => {
    clearTimeout(groupTimer)
    groupTimer = undefined
    if (group === "" || failure !== undefined) return
    try {
      size += writeWhole(file.fd, Buffer.from(group), size)
      group = ""
      isSynced = false
      if (sync) syncTimer ??= setTimeout(() => void bringToDisk(), SYNC_MS)
    } catch (cause) {
      fail(cause)
    }
  }
  const bringToDisk = (): Promise<unknown> => {
    clearTimeout(syncTimer)
    syncTimer = undefined
    if (sync && !isSynced) {
      isSynced = true
      syncing = Promise.all([syncing, file.datasync().catch(fail)])
    }
    return syncing
  }
  const flush = async (): Promise<void> => {
    write()
    await bringToDisk()
    if (failure !== undefined) throw failure
  }
  return {
    append(line) {
      if (failure !== undefined) throw failure
      group += line
      if (group.length >= GROUP_CHARACTERS) write()
      else groupTimer ??= setTimeout(write, GROUP_MS)
    },
    write,
    flush,
    size: () => size,
    hasFailed: () => failure !== undefined,
    close: flush,
  }
}

/** Writes all of the bytes or none. If the disk is full, the file is truncated again, so that it ends with a whole line. */
function writeWhole(fd: number, bytes: Buffer, size: number): number {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written)
  } catch (error) {
    if (written > 0) ftruncateSync(fd, size)
    throw error
  }
  return written
}

const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"])

/** Makes the error of a journal that can't be read or written: `disk_full` or `local_file_failed`. */
export function journalFailure(path: string, cause: unknown): AssayError {
  const { code, message } = cause as NodeJS.ErrnoException
  if (FULL.has(code)) {
    const said = `There is no room left for the journal ${path} (${code}); free space, then resume the job: answered rows are kept.`
    return new AssayError("disk_full", said, { cause })
  }
  return new AssayError("local_file_failed", `The journal ${path} can't be used: ${message}.`, { cause })
}
