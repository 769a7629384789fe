import { onDisk } from "../errors.ts"
import type { OpenFile } from "./open-file.ts"

/**
 * Returns the pieces of an open file. One piece is read ahead while the reader uses the previous one. The file is
 * closed after the last piece, on `return`, on an error and when `signal` is aborted, even if no piece was requested.
 */
export function readPieces(file: OpenFile, signal: AbortSignal | undefined): AsyncIterableIterator<Uint8Array> {
  const onAbort = () => void file.close().catch(() => {})
  signal?.addEventListener("abort", onAbort, { once: true })
  const close = () => {
    signal?.removeEventListener("abort", onAbort)
    return file.close()
  }
  const pieces = generatePieces(file, close, signal)
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () => pieces.next(),
    async return() {
      // A generator that was never started would not run its `finally` block.
      await close()
      return pieces.return(undefined)
    },
  }
}

async function* generatePieces(
  file: OpenFile,
  close: () => Promise<void>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, undefined> {
  try {
    let start = file.part.start
    let piece = file.first
    while (piece.byteLength > 0) {
      signal?.throwIfAborted()
      start += piece.byteLength
      const ahead = start <= file.part.end ? readAhead(file, start) : undefined
      if (ahead === undefined) await close()
      yield piece
      if (ahead === undefined) return
      const step = await ahead
      signal?.throwIfAborted()
      if ("error" in step) throw step.error
      piece = step.piece
    }
  } finally {
    await close()
  }
}

/** Returns an error as a value. If the reader stops, a rejection would be unhandled. */
async function readAhead(file: OpenFile, start: number): Promise<{ piece: Uint8Array } | { error: unknown }> {
  try {
    return { piece: await onDisk("read", file.stored.path, () => file.readPiece(start)) }
  } catch (error) {
    return { error }
  }
}
