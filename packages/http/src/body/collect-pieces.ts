/** Bytes that arrive in pieces. */
export interface CollectedPieces {
  readonly length: number
  add(piece: Uint8Array): void
  /** Returns all bytes. Nothing may be added afterwards. */
  join(): Uint8Array
}

/** A piece of at least this many bytes is kept without copying. */
const LARGE = 8192
const FIRST_BLOCK = 16_384
const MAX_BLOCK = 1024 * 1024

/**
 * Collects pieces. Small ones are copied into larger blocks: if a peer sends one byte at a time, keeping each piece would take
 * a hundred times its bytes in memory.
 */
export function collectPieces(): CollectedPieces {
  const blocks: Uint8Array[] = []
  let length = 0
  let open: Uint8Array | undefined
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
      // Most bodies are one piece.
      if (piece.length >= LARGE || length === piece.length) {
        closeBlock()
        blocks.push(piece)
        return
      }
      if (open !== undefined && open.length - filled < piece.length) closeBlock()
      open ??= new Uint8Array(Math.max(FIRST_BLOCK, Math.min(length, MAX_BLOCK)))
      open.set(piece, filled)
      filled += piece.length
    },
    join() {
      closeBlock()
      const [first] = blocks
      return blocks.length === 1 && first !== undefined ? first : joined(blocks, length)
    },
  }
}

function joined(blocks: readonly Uint8Array[], length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  let at = 0
  for (const block of blocks) {
    bytes.set(block, at)
    at += block.length
  }
  return bytes
}
