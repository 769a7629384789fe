import type { Pieces } from "./pieces.ts"

/** The first bytes of a stream, and the whole stream. */
interface Peeked {
  /** At most `count` bytes. */
  readonly beginning: Uint8Array
  /** Whether the stream has no more bytes than `beginning`. */
  readonly isWhole: boolean
  /** All bytes, in new pieces. */
  readonly pieces: Pieces
}

/** Reads at least the first `count` bytes of a stream, or all if it has fewer. The caller reads on from the result. */
export async function peek(pieces: Pieces, count: number): Promise<Peeked> {
  const read: Uint8Array[] = []
  let length = 0
  let end: { readonly fault: string | undefined } | undefined
  try {
    while (length < count && end === undefined) {
      const step = await pieces.next()
      if (step.done === true) end = { fault: step.value }
      else {
        // The memory of a piece is reused when the next one is requested.
        read.push(Uint8Array.from(step.value))
        length += step.value.length
      }
    }
  } catch (error) {
    await pieces.return(undefined)
    throw error
  }
  const all = Buffer.concat(read)
  return {
    beginning: all.subarray(0, count),
    isWhole: end !== undefined && end.fault === undefined && length <= count,
    pieces: again(all, pieces, end),
  }
}

async function* again(read: Uint8Array, rest: Pieces, end: { readonly fault: string | undefined } | undefined): Pieces {
  try {
    if (read.length > 0) yield read
    return end === undefined ? yield* rest : end.fault
  } finally {
    await rest.return(undefined)
  }
}
