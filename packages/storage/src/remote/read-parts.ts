import { createPiecePool } from "./piece-pool.ts"
import { fillPart } from "./fill-part.ts"
import type { RemoteReadOptions } from "./open-remote-read.ts"
import type { FirstPart } from "./open-first-part.ts"

export interface ReadPartsOptions extends RemoteReadOptions {
  readonly partSize: number
  readonly parallel: number
  readonly first: FirstPart
  /** First and last byte to read, both included. */
  readonly part: { readonly start: number; readonly end: number }
  readonly signal: AbortSignal
  /** Ends all requests of this read. */
  readonly end: () => void
}

/** Returns the bytes of a read in order. Parts are requested when the reader starts, and each further one after one was read. */
export function readParts(options: ReadPartsOptions) {
  const { first, part, partSize, parallel, chunkSize, signal, end } = options
  const pieceSize = Math.min(chunkSize, partSize)
  const pool = createPiecePool(pieceSize, Math.ceil((partSize * parallel) / pieceSize))
  // The body of the first response is used only if it starts where the range starts.
  const opened = first.body === undefined || first.start !== part.start ? undefined : first
  let next = part.start

  function startPart(): PieceQueue | undefined {
    if (next > part.end) return undefined
    const isFirst = next === part.start && opened !== undefined
    const start = next
    const last = isFirst ? Math.min(opened.end, part.end) : Math.min(start + partSize - 1, part.end)
    next = last + 1
    const queue = createPieceQueue(Math.ceil(partSize / pieceSize))
    const body = isFirst ? opened.body : undefined
    const task = { ...options, first: first.headers, start, end: last, body, pieceSize, pool, put: queue.put }
    fillPart(task).then(queue.end, queue.fail)
    return queue
  }

  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    const parts: PieceQueue[] = []
    try {
      for (;;) {
        while (parts.length < parallel) {
          const started = startPart()
          if (started === undefined) break
          parts.push(started)
        }
        const [current] = parts
        if (current === undefined) return
        for (let piece = await current.take(); piece !== undefined; piece = await current.take()) {
          signal.throwIfAborted()
          yield piece
        }
        parts.shift()
      }
    } finally {
      end()
    }
  }
  const iterator = pieces()
  const bytes: AsyncIterableIterator<Uint8Array> = {
    next: () => iterator.next(),
    // `return` of a generator that has not started does not run its `finally`.
    async return() {
      end()
      await iterator.return()
      return { done: true, value: undefined }
    },
    [Symbol.asyncIterator]: () => bytes,
  }
  return { bytes, release: (piece: Uint8Array) => pool.give(piece) }
}

/** The pieces between the request that fetches them and the reader. */
interface PieceQueue {
  /** Adds a piece. Resolves when there is room for another one. */
  readonly put: (piece: Buffer) => Promise<void> | undefined
  readonly end: () => void
  readonly fail: (error: unknown) => void
  /** Returns the next piece, or undefined at the end. @throws the error of `fail`, after the pieces before it */
  take(): Promise<Buffer | undefined>
}

/** Creates a queue. @param most maximum number of pieces that wait at the same time */
function createPieceQueue(most: number): PieceQueue {
  const pieces: Buffer[] = []
  let outcome: { readonly error?: unknown } | undefined
  let wake: (() => void) | undefined
  let makeRoom: (() => void) | undefined

  const settle = (result: { readonly error?: unknown }) => {
    outcome = result
    wake?.()
  }
  return {
    put(piece) {
      pieces.push(piece)
      wake?.()
      if (pieces.length < most) return undefined
      return new Promise((resolve) => (makeRoom = resolve))
    },
    end: () => settle({}),
    fail: (error) => settle({ error }),
    async take() {
      // A piece or the end wakes it.
      if (pieces.length === 0 && outcome === undefined) await new Promise<void>((resolve) => (wake = resolve))
      wake = undefined
      const piece = pieces.shift()
      if (piece === undefined && outcome !== undefined && "error" in outcome) throw outcome.error
      makeRoom?.()
      makeRoom = undefined
      return piece
    },
  }
}
