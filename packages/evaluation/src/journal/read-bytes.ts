import type { FileHandle } from "node:fs/promises"

const CHUNK = 1024 * 1024

/** The first `size` bytes of a file, in pieces of up to a mebibyte that are the reader's own. */
export async function* readBytes(file: FileHandle, size: number, signal?: AbortSignal): AsyncGenerator<Buffer, void> {
  let position = 0
  while (position < size) {
    signal?.throwIfAborted()
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK, size - position))
    const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}
