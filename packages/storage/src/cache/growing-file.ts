import type { ResolvedRange } from "../byte-range.ts"
import { createPiecePool } from "../remote/piece-pool.ts"
import type { ReadResult } from "../storage.ts"
import type { Spool } from "./spool.ts"

/** The bytes of a file received so far, for any number of readers. A slow reader does not delay the writer. */
export interface GrowingFile {
  /** Number of bytes that can be read, from the start. */
  readonly readable: number
  grow(readable: number): void
  /** Ends the file early. Readers get `error` after the bytes that were received. */
  fail(error: unknown): void
  /**
   * Resolves when byte `at` can be read.
   * @throws the error given to `fail`; the reason of `signal`
   */
  until(at: number, signal: AbortSignal | undefined): Promise<void>
  read(start: number, into: Uint8Array): Promise<void>
  /**
   * Keeps the bytes readable until the returned function is called. Returns undefined if the last holder has already
   * let go.
   */
  hold(): (() => Promise<void>) | undefined
}

export function createGrowingFile(spool: Spool): GrowingFile {
  const waiting = new Set<() => void>()
  let readable = 0
  let failure: { readonly error: unknown } | undefined
  let holds = 0
  let isOver = false

  const wakeAll = () => {
    const woken = [...waiting]
    waiting.clear()
    for (const wake of woken) wake()
  }

  /** Resolves at the next change, or when `signal` is aborted. */
  function change(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        waiting.delete(wake)
        signal?.removeEventListener("abort", wake)
        resolve()
      }
      waiting.add(wake)
      signal?.addEventListener("abort", wake, { once: true })
    })
  }

  return {
    get readable() {
      return readable
    },
    grow(size) {
      readable = size
      wakeAll()
    },
    fail(error) {
      failure = { error }
      wakeAll()
    },
    async until(at, signal) {
      for (;;) {
        signal?.throwIfAborted()
        if (at < readable) return
        if (failure !== undefined) throw failure.error
        await change(signal)
      }
    },
    read: (start, into) => spool.read(start, into),
    hold() {
      if (isOver) return undefined
      holds += 1
      let isHeld = true
      return async () => {
        if (!isHeld) return
        isHeld = false
        holds -= 1
        isOver = holds === 0
        if (isOver) await spool.close()
      }
    },
  }
}

/** A reader holds one piece while the next one is read. */
const SPARE_PIECES = 2

/**
 * Reads bytes `start` to `end` of a growing file in pieces of at most `chunkSize`. The file is let go of after the last
 * piece, on `return`, on an error and when `signal` is aborted, even if no piece was requested. Returns undefined if
 * the file is no longer held.
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
    // A generator that was never started would not run its `finally` block.
    async return() {
      await close()
      return pieces.return(undefined)
    },
    [Symbol.asyncIterator]: () => bytes,
  }
  return { bytes, release: (piece) => pool.give(piece) }
}
