import * as fc from "fast-check"
import type { Pieces } from "../bytes/pieces.ts"

/** Yields `bytes` in pieces of these sizes, repeated. Each piece is overwritten when the next one is requested. */
export async function* piecesOf(bytes: Uint8Array, sizes: readonly number[]): Pieces {
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const piece = Uint8Array.from(bytes.subarray(at, at + (sizes[turn % sizes.length] ?? 1)))
    at += piece.length
    yield piece
    piece.fill(0x58)
  }
  return undefined
}

/** Generates sizes of pieces, from single bytes to everything at once. */
export const pieceSizes = fc.array(fc.oneof(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 5000 })), {
  minLength: 1,
  maxLength: 6,
})

/** Collects all bytes of `pieces`, and why they end early if they do. */
export async function collect(pieces: Pieces): Promise<{ readonly bytes: Buffer; readonly fault: string | undefined }> {
  const parts: Buffer[] = []
  for (;;) {
    const step = await pieces.next()
    if (step.done === true) return { bytes: Buffer.concat(parts), fault: step.value }
    parts.push(Buffer.from(step.value))
  }
}
