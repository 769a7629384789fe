import type { ReadResult } from "../storage.ts"

type Pieces = Pick<ReadResult, "bytes" | "release">

/** Cuts bytes into pieces of at maxBytes `maxBytes` bytes, until `signal` is aborted. */
export function cutPieces({ bytes, release }: Pieces, maxBytes: number, signal: AbortSignal | undefined): Pieces {
  const iterator = bytes[Symbol.asyncIterator]()
  let left: Uint8Array | undefined
  let isCut = false
  const cut: AsyncIterableIterator<Uint8Array> = {
    async next() {
      signal?.throwIfAborted()
      let piece = left
      if (piece === undefined) {
        const step = await iterator.next()
        if (step.done === true) return step
        piece = step.value
      }
      if (piece.byteLength <= maxBytes) {
        left = undefined
        return { done: false, value: piece }
      }
      isCut = true
      left = piece.subarray(maxBytes)
      return { done: false, value: piece.subarray(0, maxBytes) }
    },
    async return() {
      left = undefined
      await iterator.return?.()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => cut,
  }
  if (release === undefined) return { bytes: cut }
  return {
    bytes: cut,
    release(piece) {
      // A piece that was cut can't be released in parts. The garbage collector frees it.
      if (!isCut) release(piece)
    },
  }
}
