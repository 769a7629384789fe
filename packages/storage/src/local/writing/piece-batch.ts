/**
 * Average size in bytes below which pieces are joined, so that a client that sends tiny pieces does not fill the memory
 * with objects.
 */
const SMALL = 8192
/** Number of pieces after which their average size is checked. */
const TAIL = 256

/** Collects pieces without copying them until they are worth writing. */
export interface PieceBatch {
  readonly byteLength: number
  add(piece: Uint8Array): void
  /** Returns all pieces in order and empties the batch. */
  take(): Uint8Array[]
}

export function createPieceBatch(): PieceBatch {
  let pieces: Uint8Array[] = []
  let tail: Uint8Array[] = []
  let tailBytes = 0
  let byteLength = 0

  function settleTail(): void {
    if (tailBytes < tail.length * SMALL && tail.length > 1) pieces.push(Buffer.concat(tail, tailBytes))
    else pieces.push(...tail)
    tail = []
    tailBytes = 0
  }

  return {
    get byteLength() {
      return byteLength
    },
    add(piece) {
      if (piece.byteLength === 0) return
      tail.push(piece)
      tailBytes += piece.byteLength
      byteLength += piece.byteLength
      if (tail.length === TAIL) settleTail()
    },
    take() {
      settleTail()
      const taken = pieces
      pieces = []
      byteLength = 0
      return taken
    },
  }
}
