/** Bytes that come in pieces. */
export interface CollectedPieces {
  readonly length: number
  add(piece: Buffer): void
  /** All of them. Nothing is added afterwards. */
  join(): Buffer
}

/** A piece of at least so many bytes is kept as it is. */
const LARGE = 8192
const FIRST_BLOCK = 16_384

/**
 * Collects pieces. Small ones are copied together: an endpoint that sends one byte at a time would otherwise cost a hundred times
 * its bytes in memory.
 */
export function collectPieces(): CollectedPieces {
  const blocks: Buffer[] = []
  let length = 0
  let open: Buffer | undefined
  let filled = 0

  function closeBlock(): void {
    if (open !== undefined) blocks.push(open.subarray(0, filled))
    open = undefined
    filled = 0
  }

  return {
    get length() {
      return length
    },
    add(piece) {
      length += piece.length
      // Most answers are one piece.
      if (piece.length >= LARGE || length === piece.length) {
        closeBlock()
        blocks.push(piece)
        return
      }
      if (open !== undefined && open.length - filled < piece.length) closeBlock()
      open ??= Buffer.allocUnsafeSlow(Math.max(FIRST_BLOCK, Math.min(length, 1024 * 1024)))
      filled += piece.copy(open, filled)
    },
    join() {
      closeBlock()
      const [first] = blocks
      return blocks.length === 1 && first !== undefined ? first : Buffer.concat(blocks, length)
    },
  }
}
