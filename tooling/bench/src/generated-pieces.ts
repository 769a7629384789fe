const PIECE = Buffer.alloc(2 ** 20, "assay")

/** Yields bytes in pieces of 1 MiB. All pieces are the same, so that making them costs nothing. */
export function* generatedPieces(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= PIECE.length) yield left >= PIECE.length ? PIECE : PIECE.subarray(0, left)
}
