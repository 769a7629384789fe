import { createWriteStream } from "node:fs"
import { once } from "node:events"

/** Bytes of the first and of the last lines that one file keeps. */
const KEPT = 1024 * 1024

/** Keeps the output of one process in a file. */
export interface ProcessLog {
  add(line: string): void
  /** Writes what is still in memory, and closes the file. Never fails: the output of a process is not worth its work. */
  end(): Promise<void>
}

/**
 * Opens a new file for the output of a process. The first and the last mebibyte of it are kept, so that neither the start nor the end is lost, however
 * much a process writes.
 * @param file absolute path
 */
export function openProcessLog(file: string): ProcessLog {
  const stream = createWriteStream(file, { flags: "a" })
  let isBroken = false
  stream.on("error", () => (isBroken = true))
  let room = KEPT
  let last: string[] = []
  let lastSize = 0
  let left = 0
  return {
    add(line) {
      const text = `${line}\n`
      const size = Buffer.byteLength(text)
      if (room >= size && last.length === 0) {
        room -= size
        stream.write(text)
        return
      }
      last.push(text)
      lastSize += size
      if (lastSize <= KEPT * 2) return
      // Dropped in halves, because removing one line at a time from a long array is slow.
      const half = Math.ceil(last.length / 2)
      for (const dropped of last.slice(0, half)) lastSize -= Buffer.byteLength(dropped)
      left += half
      last = last.slice(half)
    },
    async end() {
      if (left > 0) stream.write(`… ${left} lines are left out …\n`)
      for (const text of last) stream.write(text)
      stream.end()
      if (!isBroken) await Promise.race([once(stream, "close"), once(stream, "error")]).catch(() => {})
    },
  }
}
