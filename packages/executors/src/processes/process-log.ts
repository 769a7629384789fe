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
 * Opens a file for the output of a process. Its first mebibyte is written at once. Of what follows, the last mebibyte is kept in memory and written at the
 * end, so that neither the start nor the end of a long output is missing.
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
  /** Drops the lines before the last mebibyte. */
  function dropOld(): void {
    let dropped = 0
    for (; lastSize > KEPT; dropped++) lastSize -= Buffer.byteLength(last[dropped] ?? "")
    left += dropped
    last = last.slice(dropped)
  }
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
      // Not at each line: a long array is slow to cut.
      if (lastSize > KEPT * 2) dropOld()
    },
    async end() {
      dropOld()
      if (left > 0) stream.write(`… ${left} lines are left out …\n`)
      for (const text of last) stream.write(text)
      stream.end()
      if (!isBroken) await Promise.race([once(stream, "close"), once(stream, "error")]).catch(() => {})
    },
  }
}
