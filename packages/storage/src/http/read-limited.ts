import type { HttpResponse } from "./transport.ts"

const MAX = 65_536

/**
 * The text of a body up to `limit` bytes (64 KiB by default); what is longer is cut. Made for error answers: a body that
 * breaks off is as good as what came of it.
 */
export async function readLimited({ body }: HttpResponse, limit = MAX): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  try {
    for await (const piece of body as AsyncIterable<Uint8Array>) {
      pieces.push(piece)
      size += piece.byteLength
      if (size >= limit) break
    }
  } catch {
    // What came is all there is.
  }
  return Buffer.concat(pieces).subarray(0, limit).toString("utf8")
}
