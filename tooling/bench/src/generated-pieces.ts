const PIECE = Buffer.alloc(2 ** 20, "assay")

/** So many bytes in pieces of 1 MiB, always the same: what is measured is not how they are made. */
export function* generatedPieces(bytes: number): Generator<Uint8Array> {
  for (let left = bytes; left > 0; left -= PIECE.length) yield left >= PIECE.length ? PIECE : PIECE.subarray(0, left)
}
