/** The memory for the pieces of a read. A piece that is given back is used again. */
export interface PiecePool {
  /** Returns a buffer of `length` bytes, at most the piece size of the pool. */
  take(length: number): Buffer
  give(piece: Uint8Array): void
}

/** Creates a pool. @param most maximum number of pieces that are kept for later */
export function createPiecePool(pieceSize: number, most: number): PiecePool {
  const free: Buffer[] = []
  return {
    take(length) {
      // A short file must not take the memory of a long one.
      if (length < pieceSize) return Buffer.allocUnsafeSlow(length)
      return free.pop() ?? Buffer.allocUnsafeSlow(pieceSize)
    },
    give(piece) {
      if (piece.byteLength === pieceSize && free.length < most) free.push(Buffer.from(piece.buffer))
    },
  }
}
