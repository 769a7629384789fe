import type { IncomingMessage, ServerResponse } from "node:http"
import type { FaultsAtHand } from "./faults.ts"
import type { Pace } from "./pace.ts"

export interface Uploading {
  readonly faults: FaultsAtHand
  readonly pace: Pace
  /** Told of the bytes of each piece that arrives. */
  readonly onReceived: (bytes: number) => void
}

/** The body of a request as it arrives. A client that asks first is told to go on when the first piece is wanted. */
export async function* uploadPieces(
  raw: IncomingMessage,
  response: ServerResponse,
  { faults, pace, onReceived }: Uploading,
): AsyncIterable<Buffer> {
  if (raw.headers.expect?.toLowerCase() === "100-continue") response.writeContinue()
  const limit = faults("cut-upload")?.after ?? Infinity
  let received = 0
  for await (const piece of raw as AsyncIterable<Buffer>) {
    received += piece.length
    onReceived(piece.length)
    if (received >= limit) {
      response.destroy()
      throw new Error(`The connection was closed after ${limit} bytes, as planned.`)
    }
    await pace.wait(piece.length)
    yield piece
  }
}
