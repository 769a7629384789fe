import { createPiecePool } from "../remote/piece-pool.ts"
import type { ResolvedRange } from "../resolve-range.ts"
import type { ReadResult } from "../storage.ts"
import type { GrowingFile } from "./growing-file.ts"

/** A reader holds one piece while the next one is read. */
const SPARE_PIECES = 2

/**
 * Reads bytes `start` to `end` of a file while it grows, in pieces of at most `chunkSize`. The file is let go of with the
 * last piece, on `return`, on an error and when `signal` is aborted; also when no piece was ever asked for. Undefined where
 * nobody held it any more.
 */
export function followFill(
  growing: GrowingFile,
  { start, end }: ResolvedRange,
  { chunkSize, signal }: { readonly chunkSize: number; readonly signal?: AbortSignal | undefined },
): Pick<ReadResult, "bytes" | "release"> | undefined {
  const drop = growing.hold()
  if (drop === undefined) return undefined
  const onAbort = () => void drop()
  signal?.addEventListener("abort", onAbort, { once: true })
  const close = () => {
    signal?.removeEventListener("abort", onAbort)
    return drop()
  }
  const pool = createPiecePool(chunkSize, SPARE_PIECES)

  async function* generate(): AsyncGenerator<Uint8Array, undefined> {
    try {
      for (let at = start; at <= end;) {
        await growing.until(at, signal)
        const piece = pool.take(Math.min(chunkSize, growing.readable - at, end + 1 - at))
        await growing.read(at, piece)
        signal?.throwIfAborted()
        at += piece.byteLength
        yield piece
      }
    } finally {
      await close()
    }
  }

  const pieces = generate()
  const bytes: AsyncIterableIterator<Uint8Array> = {
    next: () => pieces.next(),
    // Not left to the generator alone: one that was never started would not let go.
    async return() {
      await close()
      return pieces.return(undefined)
    },
    [Symbol.asyncIterator]: () => bytes,
  }
  return { bytes, release: (piece) => pool.give(piece) }
}
