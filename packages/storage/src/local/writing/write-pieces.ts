/** The part of a file handle that is needed. */
export interface PieceWriter {
  writev(pieces: readonly Uint8Array[]): Promise<{ readonly bytesWritten: number }>
}

/** Writes all of `pieces` behind what was written before; the system may take less than it is given. */
export async function writePieces(file: PieceWriter, pieces: readonly Uint8Array[]): Promise<void> {
  let rest = pieces
  while (rest.length > 0) {
    const { bytesWritten } = await file.writev(rest)
    rest = dropBytes(rest, bytesWritten)
  }
}

function dropBytes(pieces: readonly Uint8Array[], count: number): readonly Uint8Array[] {
  let left = count
  for (const [index, piece] of pieces.entries()) {
    if (left < piece.byteLength) return [piece.subarray(left), ...pieces.slice(index + 1)]
    left -= piece.byteLength
  }
  return []
}
