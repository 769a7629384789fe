import type { FileHandle } from "node:fs/promises"

const NEWLINE = 10
const CHUNK = 64 * 1024

/** Removes what stands behind the last line's end of a file; answers with its size then. */
export async function cutTornLine(file: FileHandle): Promise<number> {
  const { size } = await file.stat()
  const chunk = Buffer.alloc(CHUNK)
  let end = size
  while (end > 0) {
    const start = Math.max(0, end - CHUNK)
    const { bytesRead } = await file.read(chunk, 0, end - start, start)
    const newline = chunk.subarray(0, bytesRead).lastIndexOf(NEWLINE)
    end = start + newline + 1
    if (newline !== -1) break
  }
  if (end < size) await file.truncate(end)
  return end
}
