/** The first `limit` bytes of a body at the most; the rest is left unread and its connection is given up. */
export async function readLimited(body: AsyncIterable<Uint8Array> | null, limit: number): Promise<LimitedBody> {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of body ?? []) {
    pieces.push(piece)
    length += piece.length
    if (length > limit) return { bytes: join(pieces, length).subarray(0, limit), truncated: true }
  }
  return { bytes: join(pieces, length), truncated: false }
}

export interface LimitedBody {
  readonly bytes: Uint8Array
  readonly truncated: boolean
}

function join(pieces: readonly Uint8Array[], length: number): Uint8Array {
  const [first] = pieces
  if (pieces.length === 1 && first !== undefined) return first
  const joined = new Uint8Array(length)
  let offset = 0
  for (const piece of pieces) {
    joined.set(piece, offset)
    offset += piece.length
  }
  return joined
}
