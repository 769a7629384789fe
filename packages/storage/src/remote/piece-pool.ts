/** Memory for pieces of a read, used again once a piece is given back. */
export interface PiecePool {
  /** A buffer of `length` bytes, at most the pool's piece size. */
  take(length: number): Buffer
  give(piece: Uint8Array): void
}

/** @param most pieces that are kept for later */
export function createPiecePool(pieceSize: number, most: number): PiecePool {
  const free: Buffer[] = []
  return {
    take(length) {
      // A short file must not cost the memory of a long one.
      if (length < pieceSize) return Buffer.allocUnsafeSlow(length)
      return free.pop() ?? Buffer.allocUnsafeSlow(pieceSize)
    },
    give(piece) {
      if (piece.byteLength === pieceSize && free.length < most) free.push(Buffer.from(piece.buffer))
    },
  }
}
