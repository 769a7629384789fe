import type { FileHandle } from "node:fs/promises"

/** Reads the bytes of a file from `start` up to `end`, or to its end if it is shorter. */
export async function readSlice(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start))
  let filled = 0
  while (filled < bytes.length) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled)
    if (bytesRead === 0) break
    filled += bytesRead
  }
  return bytes.subarray(0, filled)
}

const NEWLINE = 10
const TAIL_BYTES = 64 * 1024

/** Returns the bytes of a file up to its last line end: a process that was killed can have left a part of a line behind it. */
export async function sizeOfWholeLines(file: FileHandle): Promise<number> {
  let { size: end } = await file.stat()
  while (end > 0) {
    const start = Math.max(0, end - TAIL_BYTES)
    const newline = (await readSlice(file, start, end)).lastIndexOf(NEWLINE)
    if (newline !== -1) return start + newline + 1
    end = start
  }
  return 0
}
