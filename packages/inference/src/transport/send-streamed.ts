import { flatHeaders } from "@assay/http"
import type { Dispatcher } from "undici"
import { createStreamLimits } from "./answer-limits.ts"
import type { Exchange } from "./exchange.ts"
import type { SentRequest } from "./send-whole.ts"

const KEPT = 4096
const TAIL = 64

/** Sends a request and returns the body of its answer as a stream. The exchange records its beginning and its end. */
export async function sendStreamed(
  dispatcher: Dispatcher,
  request: SentRequest,
  exchange: Exchange,
): Promise<AsyncIterable<Uint8Array>> {
  const { deadline } = exchange
  const { signal } = deadline
  const limits = { headersTimeout: 0, bodyTimeout: 0 }
  const answer = await dispatcher.request({ ...request, ...limits, signal })
  exchange.status = answer.statusCode
  exchange.headers = flatHeaders(answer.headers)
  return recorded(answer.body, exchange)
}

async function* recorded(body: AsyncIterable<Uint8Array>, exchange: Exchange): AsyncGenerator<Uint8Array> {
  const limits = createStreamLimits()
  try {
    for await (const piece of body) {
      exchange.deadline.restart()
      // Each piece is decoded by itself: a character that two pieces share matters only for messages.
      const text = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength).toString("utf8")
      limits.check(text, exchange.tail)
      if (exchange.text.length < KEPT) exchange.text += text.slice(0, KEPT)
      exchange.tail = (exchange.tail + text.slice(-TAIL)).slice(-TAIL)
      yield piece
    }
  } catch (error) {
    exchange.broke = error
    throw error
  }
}
