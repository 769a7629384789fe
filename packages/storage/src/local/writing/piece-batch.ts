/** Pieces shorter than this on average are joined, so that a client that dribbles does not fill the memory with objects. */
const SMALL = 8192
/** How many pieces may lie side by side before they are looked at. */
const TAIL = 256

/** Gathers pieces without copying them, until they are worth a write. */
export interface PieceBatch {
  readonly byteLength: number
  add(piece: Uint8Array): void
  /** Everything gathered, in order; the batch is empty afterwards. */
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
