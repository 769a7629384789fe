import { closeSync, read } from "node:fs"

/** A file that is open for reading. */
export interface ReadableFile {
  readonly fd: number
  /** Reads into `into` from `position` on. Returns the number of bytes, 0 at the end of the file. */
  read(into: Uint8Array, position: number): Promise<number>
  /** Closes the file after the reads in progress. Does nothing the second time. */
  close(): void
}

/**
 * Takes over an open descriptor. Only reads use the thread pool: the system opens and closes a file for reading from its memory,
 * which takes a few microseconds here and ten times as long there.
 */
export function readableFile(fd: number): ReadableFile {
  let reading = 0
  let isClosing = false
  let isOpen = true

  function closeUnused(): void {
    // Another file could get the descriptor while a read uses it.
    if (!isOpen || !isClosing || reading > 0) return
    isOpen = false
    closeSync(fd)
  }

  return {
    fd,
    read(into, position) {
      if (isClosing) return Promise.reject(Object.assign(new Error("The file is closed."), { code: "EBADF" }))
      reading++
      return new Promise((resolve, reject) => {
        read(fd, into, 0, into.byteLength, position, (error, bytesRead) => {
          reading--
          closeUnused()
          if (error === null) resolve(bytesRead)
          else reject(error)
        })
      })
    },
    close() {
      isClosing = true
      closeUnused()
    },
  }
}
