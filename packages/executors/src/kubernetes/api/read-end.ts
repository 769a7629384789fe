import { type Body, collectPieces } from "@assay/http"

export interface EndLimits {
  /** Bytes of the end that are returned. */
  readonly bytes: number
  /** Bytes after which reading stops. */
  readonly limit: number
}

/** Reads the last bytes of a text. Keeps at most twice as many in memory, and a piece. */
export async function readEnd(body: Body, { bytes, limit }: EndLimits): Promise<string> {
  let before: Uint8Array = new Uint8Array()
  let pieces = collectPieces()
  let read = 0
  for await (const piece of body ?? []) {
    pieces.add(piece)
    read += piece.length
    if (read > limit) break
    if (pieces.length < bytes) continue
    before = pieces.join()
    pieces = collectPieces()
  }
  return Buffer.concat([before, pieces.join()]).subarray(-bytes).toString()
}
