import { closeSync, constants, fdatasync, fsync, futimes, linkSync, openSync, writev } from "node:fs"

/**
 * A new file that is written. It is a bare descriptor, because Node's file handles and each visit to the thread pool cost more
 * than storing a small file.
 */
export interface NewFile {
  readonly fd: number
  writev(pieces: readonly Uint8Array[]): Promise<{ readonly bytesWritten: number }>
  /** Sets the times in seconds since 1970. */
  utimes(accessed: number, modified: number): Promise<void>
  /** Waits until the bytes are on the disk. */
  datasync(): Promise<void>
  /** Waits until the bytes and all facts of the file are on the disk. */
  sync(): Promise<void>
  /** Does nothing the second time. */
  close(): void
}

export interface NewFileOptions {
  /** Whether each write waits until its bytes are on the disk, so that a file of one write needs no other wait. */
  readonly isSynchronous?: boolean
}

const FLAGS = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW

/** Creates an empty file. Throws the system's error if anything has the name. */
export function createNewFile(path: string, { isSynchronous = false }: NewFileOptions = {}): NewFile {
  const fd = openSync(path, isSynchronous ? FLAGS | constants.O_SYNC : FLAGS, 0o666)
  return openedFile(fd, { isSynchronous, isSynced: false })
}

/** Gives a file that is on the disk a second name, `path`, and opens it. Throws the system's error if anything has the name. */
export function linkNewFile(from: string, path: string): NewFile {
  linkSync(from, path)
  return openedFile(openSync(path, constants.O_WRONLY | constants.O_NOFOLLOW), { isSynchronous: false, isSynced: true })
}

interface FileState {
  readonly isSynchronous: boolean
  readonly isSynced: boolean
}

function openedFile(fd: number, { isSynchronous, isSynced: isSyncedAtFirst }: FileState): NewFile {
  let isOpen = true
  let isSynced = isSyncedAtFirst
  return {
    fd,
    writev: (pieces) =>
      new Promise((resolve, reject) => {
        writev(fd, pieces, (error, bytesWritten) => {
          isSynced = isSynchronous
          if (error === null) resolve({ bytesWritten })
          else reject(error)
        })
      }),
    utimes(accessed, modified) {
      isSynced = false
      return settled((done) => futimes(fd, accessed, modified, done))
    },
    datasync: () => settled((done) => fdatasync(fd, done)),
    sync: () => (isSynced ? Promise.resolve() : settled((done) => fsync(fd, done))),
    close() {
      // A second close would close another file that got the same descriptor.
      if (isOpen) closeSync(fd)
      isOpen = false
    },
  }
}

/** Runs a call with a callback. Node's `promisify` costs more than the call. */
function settled(call: (done: (error: Error | null) => void) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    call((error) => (error === null ? resolve() : reject(error)))
  })
}
